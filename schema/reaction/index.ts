import './live-reactions.ts';
import './reaction.ts';
import './reactors.ts';
import './write-reactions.ts';
