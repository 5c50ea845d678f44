/** `sparring run`: rehearses scenarios without a screen, and ends with a number that says whether all went well. */
import { jsonFlag, noColorFlag, sessionFlags } from '../flags.ts'
import { defineVerb, type OptionsOf } from '../verb.ts'

const args = [
  {
    name: 'scenario',
    summary: 'files or patterns such as scenarios/*.yaml',
    required: true,
    many: true,
  },
] as const

const flags = [
  ...sessionFlags,
  {
    name: 'start',
    value: '<command>',
    summary:
      'start your service with this, anew for each run, and stop it after; it finds our addresses in {ordering-application} … and in its environment, and the port to listen on in {port} and PORT',
  },
  {
    name: 'wait-for-subject',
    value: '<s>',
    summary:
      'how long your service may take to answer, or to call (default: 30 with --start, else 10)',
    number: { least: 0, most: 86_400, fraction: true },
  },
  { name: 'grep', value: '<text>', summary: 'only runs with this in their title' },
  { name: 'shard', value: '<k/n>', summary: 'only every n-th, from the k-th on: 1/4' },
  {
    name: 'repeat',
    value: '<n>',
    summary: 'play each so often; ends with 5 when the same one comes out differently',
    number: { least: 1, most: 1000 },
  },
  { name: 'bail', summary: 'stop at the first that fails' },
  {
    name: 'reporter',
    value: '<name[=file]>',
    summary:
      'pretty, json, junit, tap, sarif or github, to a file or to stdout; may be given again',
    many: true,
  },
  jsonFlag,
  { name: 'quiet', summary: 'nothing but what failed' },
  noColorFlag,
] as const

export type RunOptions = OptionsOf<typeof args, typeof flags>

export const run = defineVerb({
  name: 'run',
  summary: 'rehearse scenarios without a screen; verdicts, reporters, exit code',
  arguments: args,
  flags,
  details: `
Examples:
  sparring run scenarios/*.yaml --start 'npm start'           starts your service, plays, stops it
  sparring run story.yaml --subject http://127.0.0.1:3000     against a service that runs already
  sparring run story.yaml --as software-service               against one that polls us, and listens nowhere
  sparring run 'scenarios/**/*.yaml' --start 'npm start' --reporter pretty --reporter junit=report.xml

Ends with 0 when all held, 1 when something is broken, 2 when a scenario or a flag is wrong, 3 when your service cannot
be reached or turns us away, 5 when --repeat gave different verdicts, 130 when it was interrupted.`,
  async run(options, io) {
    const { runScenarios } = await import('../run/run-scenarios.ts')
    return runScenarios(options, io)
  },
})
