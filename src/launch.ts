import { holdYoungGeneration } from './young-generation.ts';

// Before anything else is loaded, since loading is most of the start.
holdYoungGeneration();
await import('./main.ts');
