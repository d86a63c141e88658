import { configureHeap } from './process/young-generation.ts';

// Before anything else is loaded, since loading is most of the start.
configureHeap();
await import('./main.ts');
