/** `sparring run`: plays scenarios without a dashboard, and merges the parts of a run; the exit code is the result. */
import { defineVerb, defineVerbGroup } from '../../terminal/cli/verb.ts'
import {
  runArguments,
  runFlags,
  runGroups,
  runMergeArguments,
  runMergeFlags,
} from '../../terminal/cli/run/run-flags.ts'

const play = defineVerb({
  name: 'play',
  summary: 'run scenarios headless (the default)',
  arguments: runArguments,
  flags: runFlags,
  groups: runGroups,
  details: `
Examples:
  sparring run scenarios/*.yaml --start 'npm start'           starts your service, runs, stops it
  sparring run story.yaml --subject http://127.0.0.1:3000     against a running service
  sparring run scenarios/*.yaml --as pos --channel polling    against a service that only polls
  sparring run 'scenarios/**/*.yaml' --start 'npm start' --reporter pretty --reporter junit=report.xml
  sparring run 'scenarios/**/*.yaml' --start 'npm start' --shard 1/4 --out 1.ndjson     a part, for run merge

--channel selects: runs by another channel are not played, and those whose scenario names none are played by this one. The last
lines say how many runs were not selected, and why.

Exits with 0 when everything passed, 1 when something failed, 2 when a scenario or a flag is wrong or an output is not whole,
3 when your service cannot be reached or rejects our credentials, 5 when --repeat gave different verdicts, 130 when interrupted.`,
  async run(options, io) {
    const { runScenarios } = await import('../../terminal/cli/run/run-scenarios.ts')
    return runScenarios(options, io)
  },
})

const merge = defineVerb({
  name: 'merge',
  summary: 'report the parts of one run as a whole',
  arguments: runMergeArguments,
  flags: runMergeFlags,
  details: `
Examples:
  sparring run merge part-*.ndjson --reporter junit=report.xml
  sparring run merge part-{part}.ndjson --shards 4 --wait 10m

Exits with 0 when everything passed, 1 when something failed, 2 when the files are not of one run, 3 when runs are missing, 5
when --repeat gave different verdicts.`,
  run: async (options, io) => (await import('../run/merge-runs.ts')).mergeRuns(options, io),
})

export const runVerb = defineVerbGroup({
  name: 'run',
  summary: 'run scenarios headless; verdicts, reporters, exit code',
  showsDefault: true,
  verbs: [play, merge],
})
