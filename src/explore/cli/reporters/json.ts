/**
 * NDJSON: each record as it comes, and the report as the last line.
 *
 * A record is a `CampaignRecord` with `atMs`, wall-clock time since the beginning in ms, as its first member:
 * `{"atMs":812.4,"type":"schedule","index":12,"strategy":"dense",…}`. Its other members stand in
 * `src/explore/campaign/campaign-record.ts`; the types are phase, steady, space, batch, schedule, hit, bucket, unattributed, known, end.
 *
 * The report has the type `report`: `ok`, what was run (`subject`, `channel`, `seed`, `shard`, `merged`, `runs`, `schedules`,
 * `sessionMs`, `tookMs`), what was found (`buckets`, each as its record with `sentence`, `remedy`, `clauses`, `paragraph`, `file`,
 * `replays` of that file, `recording` and `again`, `unshrunk` where it may need less; `steady`, what is broken without faults; `passing`, reproducers of earlier campaigns that pass now), what is
 * in doubt (`inconclusive`, `unattributed`, `advice`, counts by rule), and what was covered (`faults`: kinds `exercised` and `never`; `coverage`,
 * counts by item; `premises`, counts by rule; `notExercised`, rules; `leftOut`, workloads and why; `estimate`; `pace`, in ms).
 */
import { compact } from '../../../core/base/compact.ts'
import { unexercisedClasses } from '../../campaign/campaign-text.ts'
import { hasFindings } from '../build-report.ts'
import type { ExploreReport, ExploreReporter } from '../explore-report.ts'
import { ruleResults, steadyFailuresOf } from './rule-results.ts'

function reportDocument(report: ExploreReport) {
  const { version, subject, channel, seed, shard, merged, state, halted, interrupted } = report
  return {
    type: 'report',
    sparring: version,
    ok: !hasFindings(state) && halted === undefined && !interrupted,
    ...compact({ halted, interrupted }),
    subject,
    channel,
    seed,
    ...compact({ shard, merged }),
    runs: state.runs(),
    schedules: state.schedules.size,
    sessionMs: state.sessionMs(),
    tookMs: Math.round(report.tookMs),
    buckets: report.buckets.map(({ bucket, clauses, ...kept }) => ({
      ...bucket,
      ...kept,
      clauses: clauses.map(({ id }) => id),
    })),
    steady: steadyFailuresOf(report).map(({ workloads, failure }) => ({ workloads, ...failure })),
    ...(state.crash() ? { crash: state.crash() } : {}),
    passing: report.passing,
    inconclusive: Object.fromEntries(state.inconclusive),
    unattributed: Object.fromEntries(state.unattributed),
    advice: Object.fromEntries(state.advice),
    faults: { exercised: [...state.exercisedClasses()].sort(), never: unexercisedClasses(state) },
    coverage: Object.fromEntries(state.coverage),
    premises: Object.fromEntries(state.premises),
    notExercised: ruleResults(report)
      .filter(({ premises }) => premises === 0)
      .map(({ rule }) => rule.id),
    leftOut: Object.fromEntries(state.leftOut),
    estimate: state.estimate(),
    pace: state.pace(),
  }
}

export const exploreJson: ExploreReporter = {
  name: 'json',
  summary: 'for programs: each record as a line of JSON, and the report as the last one',
  form: 'document',
  ended: ({ record, tookMs }) =>
    `${JSON.stringify({ atMs: Math.round(tookMs * 10) / 10, ...record })}\n`,
  finish: (report) => `${JSON.stringify(reportDocument(report))}\n`,
}
