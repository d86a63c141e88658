export interface Step {
  /** The heading of the second level above the commands. */
  heading: string;
  commands: string;
  /** What the page shows as the output of the commands; null if nothing. */
  output: string | null;
}

/** The code blocks of the language `sh` of a page, in order, each with the block of output that follows it directly. */
export function stepsOf(page: string): Step[] {
  return page.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'));
    const blocks = section.matchAll(/^```sh\n([\s\S]*?)^```(?:\n\n```(?:text|json)\n([\s\S]*?)^```)?/gm);
    return [...blocks].map(([, commands, output]) => ({ heading, commands: commands!, output: output ?? null }));
  });
}
