import './link-preview.ts';
