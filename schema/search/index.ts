import './search.ts';
import './search-results.ts';
