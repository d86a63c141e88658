import './categories.ts';
import './category-events.ts';
import './category.ts';
import './write-categories.ts';
