import './content-rules.ts';
