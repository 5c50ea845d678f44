/** `sparring run`: plays scenarios without a dashboard; the exit code is the result. */
import { defineVerb } from '../verb.ts'
import { runArguments, runFlags } from '../run/run-flags.ts'

export const runVerb = defineVerb({
  name: 'run',
  summary: 'rehearse scenarios without a screen; verdicts, reporters, exit code',
  arguments: runArguments,
  flags: runFlags,
  details: `
Examples:
  sparring run scenarios/*.yaml --start 'npm start'           starts your service, plays, stops it
  sparring run story.yaml --subject http://127.0.0.1:3000     against a service that runs already
  sparring run story.yaml --as software-service               against one that polls us, and listens nowhere
  sparring run 'scenarios/**/*.yaml' --start 'npm start' --reporter pretty --reporter junit=report.xml

Exits with 0 when everything passed, 1 when something failed, 2 when a scenario or a flag is wrong, 3 when your service cannot
be reached or turns us away, 5 when --repeat gave different verdicts, 130 when it was interrupted.`,
  async run(options, io) {
    const { runScenarios } = await import('../run/run-scenarios.ts')
    return runScenarios(options, io)
  },
})
