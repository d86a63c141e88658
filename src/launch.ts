import { configureHeap } from './process/heap.ts';

// Runs before any other module is loaded, because loading modules allocates most of the memory of a start.
configureHeap();
await import('./main.ts');
