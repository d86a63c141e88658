import { probes as arithmetic } from './arithmetic.ts';
import { probes as expressions } from './expressions.ts';
import { probes as joins } from './joins.ts';
import { groupProbes, probes as pipelines } from './pipelines.ts';
import type { Probe } from './probe.ts';
import { probes as projections } from './projections.ts';

/** Projections, pipelines and expressions. */
export const probes: Probe[] = [...projections, ...pipelines, ...joins, ...groupProbes, ...arithmetic, ...expressions];
