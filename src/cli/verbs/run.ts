/** `sparring run`: plays scenarios without a dashboard; the exit code is the result. */
import { defineVerb } from '../verb.ts'
import { runArguments, runFlags, runGroups } from '../run/run-flags.ts'

export const runVerb = defineVerb({
  name: 'run',
  summary: 'run scenarios headless; verdicts, reporters, exit code',
  arguments: runArguments,
  flags: runFlags,
  groups: runGroups,
  details: `
Examples:
  sparring run scenarios/*.yaml --start 'npm start'           starts your service, runs, stops it
  sparring run story.yaml --subject http://127.0.0.1:3000     against a running service
  sparring run story.yaml --as software-service               against a service that only polls
  sparring run 'scenarios/**/*.yaml' --start 'npm start' --reporter pretty --reporter junit=report.xml

Exits with 0 when everything passed, 1 when something failed, 2 when a scenario or a flag is wrong, 3 when your service cannot
be reached or rejects our credentials, 5 when --repeat gave different verdicts, 130 when interrupted.`,
  async run(options, io) {
    const { runScenarios } = await import('../run/run-scenarios.ts')
    return runScenarios(options, io)
  },
})
