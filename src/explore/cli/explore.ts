/** `sparring explore`: searches schedules of faults that break a rule, and merges the parts of a search. */
import {
  exploreFlags,
  exploreGroups,
  exploreMergeArguments,
  exploreMergeFlags,
} from './explore-flags.ts'
import { defineVerb, defineVerbGroup } from '../../terminal/cli/verb.ts'

const search = defineVerb({
  name: 'search',
  summary: 'search fault schedules for a broken rule (the default)',
  flags: exploreFlags,
  groups: exploreGroups,
  details: `
First every workload is played without faults: what is broken then is reported and left out of the search. Then schedules of
faults are drawn, many run side by side, and each failure is shrunk to the fewest faults that still show it. Each cause is
kept in the folder of --corpus as a scenario that sparring run plays, <rule>-<id>.yaml, with the recording of its run beside
it. What is in that folder is run first, and is reported when it passes.

The workloads are those of the role of your service: orders of our Ordering Application for a Software Service, a Delivery
Platform or a CRM. An Ordering Application is asked for its orders, by POST to subject.asks.order, and to cancel them, by POST
to subject.asks.cancellation; one that cannot be asked is explored with the orders that it places by itself.

A service of --start is started for each session, so that it knows nothing of the one before; with --reset, and one that
runs by itself, is kept: sessions use the same ports one after the other, and ids are never used twice.

Examples:
  sparring explore --as software-service --start 'npm start'
  sparring explore --as software-service --subject http://127.0.0.1:3000 --max-time 30m --out night.ndjson
  sparring explore --as software-service --subject http://127.0.0.1:3000 --out night.ndjson --resume
  sparring explore --as software-service                      a service that only polls
  sparring explore --as ordering-application --subject http://127.0.0.1:3000
  sparring explore --as software-service --start 'npm start' --seed 7 --max-runs 4000 --shard 1/8 --out 1.ndjson

On a terminal it shows a screen: what is covered, each cause as it is found and its story, and its reproducer step by step.

Exits with 0 when nothing was found, 1 when a rule was broken, 2 when a flag or a file is wrong or an output is not whole, and when
nothing was found but no workload could be played, no rule was exercised, or no schedule was played to its end, 3 when your
service cannot be reached, 130 when interrupted; what was found until then is reported, and --resume continues.`,
  run: async (options, io) => (await import('./run-explore.ts')).runExplore(options, io),
})

const merge = defineVerb({
  name: 'merge',
  summary: 'report the parts of one campaign as a whole',
  arguments: exploreMergeArguments,
  flags: exploreMergeFlags,
  details: `
Examples:
  sparring explore merge shard-*.ndjson
  sparring explore merge shard-*.ndjson --corpus regressions --reporter junit=explore.xml

Exits with 0 when no part found anything, 1 when a rule was broken, 2 when the files are not of one campaign or nothing was found
and no schedule was played to its end, 3 when a part is missing or has not ended.`,
  run: async (options, io) => (await import('./run-merge.ts')).runMerge(options, io),
})

export const exploreVerb = defineVerbGroup({
  name: 'explore',
  summary: 'search fault schedules for a broken rule, shrink it, keep it as a scenario',
  showsDefault: true,
  verbs: [search, merge],
})
