import type { Live, Subscribe } from './live.ts';
import type { Json, RestUser } from './rest-user.ts';

/** The exports of a client package; the packages differ, and none is installed in the repository. */
export type Sdk = Json;

/** An application of one user, built on a client package, and the network around it. */
export interface Application {
  sdk: Sdk;
  /** Major version × 100 + minor version of the client. */
  version: number;
  /** Name of the application's user. */
  userId: string;
  url: string;
  apiKey: string;
  /** The user who acts while the application watches. */
  second: RestUser;
  /** An administrator of the network. */
  admin: RestUser;
  /** Runs a step unless the client lacks one of the functions it `needs`, as paths of exports. */
  step(title: string, run: () => Promise<unknown>, needs?: readonly string[]): Promise<void>;
  /** Displays a live object or collection until the step ends, or the area for one that is displayed between steps. */
  display(subscribe: Subscribe): Live;
  /** Subscribes to a topic until the area ends. Resolves when the gateway has granted it. */
  subscribe(topic: string): Promise<void>;
  /** Registers a function that runs when the area ends. */
  atEnd(release: unknown): void;
  gateway: { kill(): Promise<void>; start(): Promise<void> };
}

/** A group of steps about one part of the client. */
export interface Area {
  name: string;
  /** An export that a client must have for the area to apply. */
  needs?: string;
  /** Errors that the client is expected to leave unhandled. */
  ignores?: RegExp;
  run(application: Application): Promise<void>;
}
