import './record-views.ts';
import './viewers.ts';
