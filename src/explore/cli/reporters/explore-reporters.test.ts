// @module-tag slow
/**
 * Reporters of campaigns on the records of real ones: parsed by the rules of their formats and checked for their
 * content.
 */
import { expect, test } from 'vitest'
import { exploreReference } from '../../../../test/support/explore-reference.ts'
import { progressOf, recordOneBucket } from '../../../../test/support/explored-campaign.ts'
import { keptDetailsOf } from '../../../../test/support/opened-reproducer.ts'
import { writtenWorkloads } from '../../../../test/support/written-workloads.ts'
import { wellFormedElements } from '../../../../test/support/well-formed-xml.ts'
import type { Bucket } from '../../investigation/bucket.ts'
import { type CampaignProgress, CampaignState } from '../../campaign/campaign-state.ts'
import type { CampaignRecord } from '../../campaign/campaign-record.ts'
import { workloadsOf } from '../../workloads/workloads.ts'
import { crashRule } from '../../batch/crash.ts'
import { invariants } from '../../../core/rules/invariants/catalogue.ts'
import { loadClauses } from '../../../core/protocol/clause.ts'
import type { Style } from '../../../terminal/cli/reporters/reporter.ts'
import type { ExploreReport, ReportedBucket } from '../explore-report.ts'
import { exploreReporters } from '../open-reports.ts'

const subject = 'software-service'
const workloads = new Map(workloadsOf(subject).map((each) => [each.name, each]))
const clauses = await loadClauses()

const records = await recordOneBucket(32)

const withDetails = (bucket: Bucket): ReportedBucket => ({
  bucket,
  ...keptDetailsOf(bucket, clauses),
})

function reportOf(given: readonly CampaignRecord[]): ExploreReport {
  const state = new CampaignState()
  for (const record of given) state.apply(record)
  const buckets = Array.from(state.buckets.values(), withDetails)
  return {
    version: '1.2.3',
    subject,
    channel: 'both',
    seed: 7,
    state,
    workloads,
    buckets,
    passing: ['explored/old.yaml'],
    tookMs: 12_340,
  }
}

const report = reportOf(records)
const style: Style = { color: false, quiet: false }

function reporterOf(name: string) {
  const found = exploreReporters.find((each) => each.name === name)
  if (!found) throw new Error(`there is no reporter ${name}`)
  return found
}

const finished = (name: string, reported: ExploreReport = report, how = style): string =>
  reporterOf(name).finish?.(reported, how) ?? ''

function newsOf(name: string, given: Iterable<CampaignProgress>, how = style): readonly string[] {
  const { ended } = reporterOf(name)
  return Array.from(given, (each) => ended?.(each, how) ?? '')
}

const [bucket] = [...report.state.buckets.values()]
if (!bucket) throw new Error('the campaign found nothing')

/** The same campaign, whose bucket did not fail again: a slow machine may have been the cause. */
const suspected = reportOf(
  records.map((record) =>
    record.type === 'bucket'
      ? { ...record, bucket: { ...record.bucket, status: 'suspected', failed: 0 } }
      : record,
  ),
)

test('every reporter has a name, a summary and its own output', () => {
  const names = exploreReporters.map(({ name }) => name)
  expect(names).toEqual(['pretty', 'json', 'junit', 'sarif', 'github'])
  for (const { summary } of exploreReporters) expect(summary).toMatch(/^for [a-zA-Z ]+: /)
  expect(new Set(names.map((name) => finished(name))).size).toBe(names.length)
})

test('pretty tells of phases, each bucket as it is found, and how far the campaign is', () => {
  const news = newsOf('pretty', progressOf(records)).join('')
  expect(news).toMatch(/^without faults\nsearch: \d+ kinds of faults, 16 schedules side by side\n/)
  expect(news).toMatch(
    /\nFAIL {2}RT-6 {2}[0-9a-f]{8} {2}Must [^\n]*\n {6}The service tried [^\n]*\n {8}takeout\n {8}[a-z-]+ \([^)]*\) on \w+ of o1[^\n]*\n {6}failed 3 of 3 times/,
  )
  const milestones = news.match(/^\d+ schedules in .* kinds of faults, .*\d %$/gm) ?? []
  expect(milestones.map((line) => line.split(' ')[0])).toEqual(['10', '20'])
  const quiet = newsOf('pretty', progressOf(records), { color: false, quiet: true }).join('')
  expect(quiet).toMatch(/^FAIL {2}RT-6/)
  expect(quiet).not.toMatch(/schedules in|search/)
})

test('pretty ends with the details of each bucket, and with what was covered and what was not', () => {
  const text = finished('pretty')
  expect(text).toContain(bucket.failure.because)
  expect(text).toMatch(/\n {8}#\d+ {2}\d\d:\d\d:\d\d\.\d{3} {2}SS > OA {2}POST \/orders\//)
  expect(text).toMatch(/\n {6}under takeout\n {8}[a-z-]+ \(/)
  expect(text).toMatch(/\n {6}Must .*\n {6}[A-Z]{3}-[A-Z]{3}-\d+ {2}/)
  expect(text).toContain(report.buckets[0]?.paragraph)
  expect(text).toContain(`scenario: explored/a b ${bucket.id}.yaml`)
  expect(text).toContain(`again: sparring run 'explored/a b ${bucket.id}.yaml'`)
  expect(text).toContain('explored/old.yaml passes now')
  const { state } = report
  const all = state.classes().length
  expect(text).toContain(`faults    ${state.exercisedClasses().size} of ${all} kinds of faults`)
  expect(text).toMatch(/\nnever {5}[a-z-]+: /)
  expect(text).toMatch(/\n {10}and \d+ more faults\n|(\n {10}[a-z-]+: ){2}/)
  expect(text).toMatch(/\nrules {5}\d+ premises never occurred: [A-Z]+-\d+, /)
  expect(text).toMatch(/\nestimate {2}the next schedule looks new with \d+\.\d % \(32 schedules/)
  expect(text).toMatch(/\npace {6}your service polls every \d+(\.\d)?s, reacts within /)
  expect(text).toMatch(
    /\nfound: 32 schedules, \d+ runs in 12 s \(\d+(\.\d)?\/s\), \S+ of sessions, \d buckets?, \d+ of \d+ rules exercised\n$/,
  )
  expect(text).not.toContain('\u001b')
  const coloured = finished('pretty', report, { color: true, quiet: false })
  expect(coloured).toContain('\u001b[31mFAIL\u001b[39m')
})

test('JSON is one object for each record, and the report as the last one', () => {
  const lines = [...newsOf('json', progressOf(records)), finished('json')]
  const objects = lines.map((line) => {
    expect(line.indexOf('\n')).toBe(line.length - 1)
    return JSON.parse(line) as Record<string, unknown>
  })
  const last = objects.at(-1)
  const [first] = objects
  expect(objects.slice(0, -1).map(({ atMs: _atMs, ...record }) => record)).toEqual(
    JSON.parse(JSON.stringify(records)),
  )
  expect(first).toEqual({ atMs: 10, type: 'phase', phase: 'steady' })
  expect(last).toMatchObject({
    type: 'report',
    sparring: '1.2.3',
    ok: false,
    subject,
    seed: 7,
    schedules: 32,
    passing: ['explored/old.yaml'],
    steady: [],
    pace: report.state.pace(),
  })
  expect(last?.['buckets']).toMatchObject(
    report.buckets.map(({ bucket: { id, rule }, again, clauses: own }) => ({
      id,
      rule,
      again,
      clauses: own.map((clause) => clause.id),
    })),
  )
})

test('JUnit is well-formed XML with a case for each rule: failed, passed with its premises, or skipped', () => {
  const xml = finished('junit')
  const own = [...invariants.filter(({ binds }) => binds.includes(subject)), crashRule]
  const names = wellFormedElements(xml).filter((name) => name === 'testcase')
  const [, tests, failures, skipped] =
    /tests="(\d+)" failures="(\d+)" errors="0" skipped="(\d+)"/.exec(xml) ?? []
  expect([Number(tests), Number(failures)]).toEqual([own.length, 1])
  // An open tag and a closed one, as each has something to say.
  expect(names).toHaveLength(2 * own.length)
  expect(xml).toMatch(
    /<testcase name="RT-6 Must [^"]*" classname="software-service" file="explored/,
  )
  expect(xml).toMatch(/<failure message="The service tried [^"]*" type="RT-6">/)
  const never = own.filter(({ id }) => (report.state.premises.get(id) ?? 0) === 0)
  expect(Number(skipped)).toBe(never.length)
  expect(xml.match(/<skipped message="its premise never occurred: /g)).toHaveLength(never.length)
  expect(xml).toMatch(/<system-out>its premise occurred \d+ times<\/system-out>/)
})

test('SARIF has the rules, and a result with rule index, location and fingerprint for each bucket', () => {
  const parse = (text: string) =>
    JSON.parse(text) as {
      readonly version: string
      readonly runs: readonly [
        {
          readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } }
          readonly results: readonly {
            readonly ruleId: string
            readonly ruleIndex: number
            readonly level: string
          }[]
        },
      ]
    }
  const { version, runs } = parse(finished('sarif'))
  expect(version).toBe('2.1.0')
  const [{ tool, results }] = runs
  expect(results).toHaveLength(report.buckets.length)
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
  expect(results[0]).toMatchObject({
    ruleId: 'RT-6',
    level: 'error',
    message: { text: expect.stringContaining(bucket.failure.because) },
    locations: [
      { physicalLocation: { artifactLocation: { uri: `explored/a%20b%20${bucket.id}.yaml` } } },
    ],
    partialFingerprints: { 'sparringBucket/v1': bucket.id },
    properties: { status: 'confirmed' },
  })
  expect(results[0]).not.toHaveProperty('kind')
  expect(parse(finished('sarif', suspected)).runs[0].results[0]).toMatchObject({
    kind: 'review',
    level: 'none',
  })
})

test('GitHub gets one escaped line for each bucket, on its scenario', () => {
  const lines = finished('github').trimEnd().split('\n')
  expect(lines).toHaveLength(report.buckets.length)
  expect(lines[0]).toMatch(
    /^::error file=explored\/a b [0-9a-f]{8}\.yaml,title=RT-6 confirmed::RT-6: The service tried [^\r\n]*%0Aagain: /,
  )
})

test('what is only suspected is no failure anywhere, and every reporter says so', () => {
  expect(finished('pretty', suspected)).toMatch(
    /\n\? {5}RT-6 {2}[^]*Played again it failed 0 of 3 times/,
  )
  expect(finished('pretty', suspected)).toMatch(/\nnothing found: 32 schedules/)
  expect(JSON.parse(finished('json', suspected))).toMatchObject({ ok: true })
  expect(finished('junit', suspected)).toMatch(/failures="0"[^]*<skipped message="suspected: The /)
  expect(finished('github', suspected)).toMatch(/^::warning [^\n]*title=RT-6 suspected::/)
})

test('a rule that is broken without faults is reported once, with the workloads that break it', async () => {
  const all: CampaignRecord[] = []
  const defects = ['confirms-unread'] as const
  const names = ['delivery', 'takeout', 'indoor', 'cancelled-early', 'cancelled-while-preparing']
  await exploreReference({
    defects,
    maxRuns: 1,
    workloads: writtenWorkloads(subject, names),
    onRecord: (record) => all.push(record),
  })
  const steady = all.filter(({ type }) => type !== 'bucket')
  const reported = reportOf(steady)
  const news = newsOf('pretty', progressOf(steady)).join('')
  expect(
    news.match(/^FAIL {2}SE-7 {2}without faults, in delivery: The service confirmed /gm),
  ).toHaveLength(1)
  expect(finished('pretty', reported)).toMatch(
    /FAIL {2}SE-7 {2}without faults, in delivery, takeout, indoor and \d+ more: [^]*\n {8}#\d+ {2}[^]*\n {6}fix: /,
  )
  expect(finished('junit', reported)).toMatch(
    /<failure message="without faults, in [^"]*" type="SE-7">/,
  )
  expect(finished('sarif', reported).match(/"ruleId": "SE-7"/g)).toHaveLength(1)
  expect(
    finished('github', reported).match(/^::error title=SE-7::without faults, in [^\n]*$/gm),
  ).toHaveLength(1)
  expect(JSON.parse(finished('json', reported))).toMatchObject({
    ok: false,
    steady: expect.arrayContaining([
      expect.objectContaining({
        rule: 'SE-7',
        workloads: expect.arrayContaining(['delivery', 'indoor']),
      }),
    ]),
  })
  // A bucket that needs no fault says more, and takes its place.
  const kept = reportOf(all)
  expect(kept.buckets.map(({ bucket: { rule } }) => rule)).toContain('SE-7')
  expect(finished('pretty', kept).match(/FAIL {2}SE-7/g)).toHaveLength(1)
  expect(finished('sarif', kept).match(/"ruleId": "SE-7"/g)).toHaveLength(1)
})

test('reproducers of earlier campaigns, rules in doubt and what was left out are reported', () => {
  const more: readonly CampaignRecord[] = [
    ...records,
    { type: 'known', hash: 'aaaa', broken: [] },
    { type: 'known', hash: 'bbbb', broken: ['RT-6'] },
    { type: 'unattributed', rule: 'PO-2' },
    { type: 'steady', workload: 'own', failures: [], leftOut: 'o1 was\nrefused' },
  ]
  const news = newsOf('pretty', progressOf(more)).join('')
  expect(news).toContain('ok    an earlier reproducer (aaaa) passes now\n')
  expect(news).toContain('FAIL  an earlier reproducer (bbbb) breaks RT-6\n')
  expect(news).toContain(String.raw`skip  own is left out: o1 was\nrefused`)
  const reported = reportOf(more)
  expect(finished('pretty', reported)).toMatch(
    /\nshared {4}broken by no schedule alone: PO-2 once\n/,
  )
  expect(finished('pretty', reported)).toMatch(/\nleft out {2}own: o1 was/)
  expect(finished('junit', reported)).toMatch(
    /name="PO-2 [^>]*>\n +<skipped message="broken in 1 batch/,
  )
  expect(JSON.parse(finished('json', reported))).toMatchObject({ unattributed: { 'PO-2': 1 } })
})

test('where no schedule was played to its end the last line does not read as green', () => {
  const short = records.map((record) =>
    record.type === 'schedule' ? ({ ...record, cutShort: true } as const) : record,
  )
  const nothing = reportOf(short.filter(({ type }) => type !== 'bucket'))
  expect(finished('pretty', nothing, { color: true, quiet: false })).toContain(
    '\n\u001b[33mnothing found, and no schedule was played to its end\u001b[39m: 32 schedules, ',
  )
})

test('a halt is in every document, and an interrupted campaign is not ok', () => {
  const halted = { ...report, halted: 'your service: it is <gone>.' }
  const xml = finished('junit', halted)
  expect(wellFormedElements(xml)).toContain('error')
  expect(xml).toContain('<error message="your service: it is &lt;gone&gt;."/>')
  expect(finished('github', halted)).toContain(
    '::error title=sparring::your service: it is <gone>.',
  )
  expect(JSON.parse(finished('sarif', halted))).toMatchObject({
    runs: [{ invocations: [{ executionSuccessful: false }] }],
  })
  const nothing: ExploreReport = { ...suspected, interrupted: true }
  expect(JSON.parse(finished('json', nothing))).toMatchObject({ ok: false, interrupted: true })
  expect(finished('pretty', nothing)).toMatch(/; interrupted\n$/)
})
