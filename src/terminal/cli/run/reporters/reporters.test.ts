/** The output of every reporter is parsed by the rules of its format and checked for its content. */
import { expect, test } from 'vitest'
import { readRuns } from '../../../../core/scenario/read.ts'
import type { ScenarioOutcome } from '../../../../core/scenario/outcome.ts'
import { clausesOf, loadClauses } from '../../../../core/protocol/clause.ts'
import { checkSchema } from '../../../../core/runtime/files/schema-errors.ts'
import { wellFormedElements } from '../../../../../test/support/well-formed-xml.ts'
import { playInProcess } from '../../../../../test/support/play-scenario-in-process.ts'
import type { Verdict } from '../../../../core/rules/invariants/verdict.ts'
import {
  type ScenarioReport,
  type RunReport,
  type RunReporter,
  unexercisedCountText,
  withClaimsRequired,
} from '../report.ts'
import { runReporters } from './catalogue.ts'
import type { Style } from '../../reporters/reporter.ts'
import { xmlText } from '../../reporters/junit-document.ts'

const title = 'A <b> & "c"]]>, 100 %: it\'s #1'

async function outcomeOf(defects: readonly 'confirms-unread'[]): Promise<ScenarioOutcome> {
  const scenario = {
    name: title,
    about: 'b',
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [{ create: 'o1' }, { await: { status: 'DELIVERED', order: 'o1' } }],
    expect: { statuses: { o1: 'DELIVERED' } },
  }
  const runs = readRuns(scenario, checkSchema)
  if (!runs.ok || !runs.value[0]) throw new Error('no run')
  return playInProcess(runs.value[0], { defects })
}

const failedRun = {
  total: 3,
  file: 'scenarios/a b.yaml',
  title,
  repetition: 1,
  seed: 7,
  tookMs: 1234,
  again: "sparring run 'scenarios/a b.yaml' --seed 7",
} as const

const outcome = await outcomeOf(['confirms-unread'])
const clauses = await loadClauses()
const failed: RunReport = {
  ...failedRun,
  number: 1,
  outcome,
  result: 'failed',
  failures: outcome.failures.map((failure) => ({
    ...failure,
    place: { line: 12, column: 3 },
    clauses: clausesOf(failure.verdict?.clauses ?? [], clauses),
  })),
  output: ['\u001b[31mred\u001b[39m \u0000 <tag>'],
}
const runs: readonly RunReport[] = [
  failed,
  { ...failedRun, number: 2, result: 'skipped', because: 'not # yours', failures: [] },
  { ...failedRun, number: 3, result: 'passed', failures: [], outcome: await outcomeOf([]) },
]
/** A run that nothing failed in, while Sparring was late. */
const doubt = 'The service polled again after 300 ms. Sparring itself was 412 ms late in that time.'
const late: Verdict = {
  id: 'PO-2',
  name: 'polls-keep-their-distance',
  sentence: 's',
  remedy: 'r',
  kind: 'timing',
  clauses: [],
  premise: 'p',
  premises: 1,
  outcome: 'inconclusive',
  violations: 0,
  inconclusive: 1,
  findings: [{ because: doubt, at: 0, evidence: [], lagMs: 412 }],
}
const inconclusive: ScenarioReport = {
  version: '1.2.3 (abc1234)',
  tookMs: 5000,
  unstable: [],
  runs: [
    {
      ...failedRun,
      number: 1,
      result: 'inconclusive',
      because: `PO-2 is inconclusive: ${doubt}`,
      failures: [],
      outcome: { ...outcome, verdicts: [late] },
    },
  ],
}

const report: ScenarioReport = {
  version: '1.2.3 (abc1234)',
  runs,
  tookMs: 5000,
  unstable: [],
  clauses,
}
const style: Style = { color: false, quiet: false }

function written(name: string, how: Style = style, what: ScenarioReport = report): string {
  const reporter: RunReporter | undefined = runReporters.find((each) => each.name === name)
  const { begin, ended, finish } = reporter ?? {}
  return [
    begin?.() ?? '',
    ...what.runs.map((run) => ended?.(run, how) ?? ''),
    finish?.(what, how) ?? '',
  ].join('')
}

test('every reporter has a name, a summary and its own output', () => {
  const names = runReporters.map(({ name }) => name)
  expect(names).toEqual(['pretty', 'json', 'junit', 'tap', 'sarif', 'github', 'html'])
  for (const { summary } of runReporters) expect(summary).toMatch(/^for [a-zA-Z ]+: |^for readers/)
  expect(new Set(names.map((name) => written(name))).size).toBe(names.length)
})

test('pretty prints the run, the failed rule with sentence, clauses and exchanges, and the rerun command', () => {
  const text = written('pretty')
  expect(text).toMatch(/^FAIL {2}A <b>/)
  expect(text).toMatch(/SE-7 failed: .* {2}scenarios\/a b\.yaml:12:3\n {10}#\d/)
  expect(text).toMatch(/\n {8}Must read an order .*\n {8}fix: Call GET .*\n {8}ORD-FLO-03 {2}/)
  // Each of its clauses with the sentence, the document and the chapter.
  expect(text).toMatch(
    /\n {8}ORD-EVR-01 {2}Status on GET .* \(2 Orders and Indoor: Events > Orders events\)\n/,
  )
  expect(text).toMatch(
    /\n {10}#\d+ {2}\d\d:\d\d:\d\d\.\d{3} {2}SS > OA {2}POST \/orders\/.*confirm {2}202\n/,
  )
  expect(text).toMatch(/o1 is CONCLUDED, not DELIVERED/)
  expect(text).toContain(`seed 7\n      again: ${failedRun.again}\n`)
  expect(text).toMatch(/3 runs: 1 passed, 1 failed, 1 skipped, in 5\.0 s\n$/)
  // Output of the subject cannot send escape sequences to the terminal.
  expect(text).not.toContain('\u001b')
  expect(written('pretty', { color: true, quiet: false })).toContain('\u001b[31mFAIL\u001b[39m')
})

test('with quiet, pretty prints failures only', () => {
  const quiet = { color: false, quiet: true }
  expect(written('pretty', quiet)).not.toMatch(/^(skip|ok)/m)
  const good: ScenarioReport = { ...report, runs: runs.slice(2) }
  expect(written('pretty', quiet, good)).toBe('')
})

test('JSON is one document, with steps, orders and verdicts', () => {
  const document = JSON.parse(written('json')) as Record<string, unknown>
  expect(document).toMatchObject({
    sparring: report.version,
    ok: false,
    passed: 1,
    failed: 1,
    skipped: 1,
  })
  expect(document['runs']).toMatchObject([
    {
      title,
      result: 'failed',
      seed: 7,
      channel: 'polling',
      steps: [{ result: 'done' }, { result: 'done' }],
      orders: [{ slot: 'o1' }],
      journal: { digest: expect.stringMatching(/^[0-9a-f]{16}$/) },
    },
    { result: 'skipped', because: 'not # yours' },
    { result: 'passed' },
  ])
})

test('JUnit is well-formed XML, with a case for each run', () => {
  const xml = written('junit')
  const seen = wellFormedElements(xml)
  expect(seen.filter((name) => name === 'testcase')).toHaveLength(5)
  expect(xml).toMatch(
    /<testsuites name="sparring" tests="3" failures="1" errors="0" skipped="1" time="3\.702">/,
  )
  expect(xml).toMatch(/<failure message="SE-7 failed: [^"]*" type="SE-7">/)
  expect(xml).toMatch(/ Must read an order .*\n +fix: Call GET /)
  expect(xml).toContain('A &lt;b&gt; &amp; &quot;c&quot;]]&gt;, 100 %: it&apos;s #1')
  expect(xmlText('a\u0000\ud800b\u{1f600}\t')).toBe('ab\u{1f600}\t')
})

test('TAP has a plan that fits, marks what failed, and its blocks are YAML', () => {
  const lines = written('tap').trimEnd().split('\n')
  expect(lines[0]).toBe('TAP version 14')
  expect(lines.at(-1)).toBe('1..3')
  const points = lines.filter((line) => /^(not )?ok /.test(line))
  expect(points.map((line) => line.split(' - ')[0])).toEqual(['not ok 1', 'ok 2', 'ok 3'])
  // `#` in a title is escaped and begins no directive.
  expect(points[0]).toContain("it's \\#1")
  expect(points[1]).toMatch(/ # SKIP not \\# yours$/)
  const block = lines.slice(lines.indexOf('  ---') + 1, lines.indexOf('  ...'))
  for (const line of block) expect(JSON.parse(line.replace(/^ {2}[a-z]+: /, ''))).toBeDefined()
  expect(
    block.some((line) => line.startsWith('  at: {"file":"scenarios/a b.yaml","line":12')),
  ).toBe(true)
})

test('SARIF has invariants as rules with their clauses, and results with rule index and line', () => {
  const sarif = JSON.parse(written('sarif')) as {
    version: string
    runs: readonly [
      {
        tool: {
          driver: {
            name: string
            rules: readonly { id: string; name: string; properties?: { tags: string[] } }[]
          }
        }
        results: readonly {
          ruleId: string
          ruleIndex: number
          level: string
          locations: readonly [
            {
              physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } }
            },
          ]
        }[]
        invocations: readonly [{ executionSuccessful: boolean }]
      },
    ]
  }
  expect(sarif.version).toBe('2.1.0')
  expect(sarif.runs[0].tool.driver).toMatchObject({
    version: '1.2.3 (abc1234)',
    semanticVersion: '1.2.3',
  })
  const [{ tool, results, invocations }] = sarif.runs
  const { rules } = tool.driver
  expect(invocations[0].executionSuccessful).toBe(true)
  expect(rules.find(({ id }) => id === 'SE-7')).toMatchObject({
    name: 'ReadsBeforeItActs',
    help: { text: expect.stringMatching(/^Call GET .*\n(?:.*\n)*ORD-EVR-01: Status on GET /) },
    properties: { tags: expect.arrayContaining([expect.stringMatching(/^ORD-/)]) },
  })
  expect(results.map(({ ruleId }) => ruleId)).toEqual(
    failed.failures.map(({ verdict }) => verdict?.id ?? 'expectation'),
  )
  for (const { ruleId, ruleIndex, level, locations } of results) {
    expect({ rule: rules[ruleIndex]?.id, level }).toEqual({ rule: ruleId, level: 'error' })
    const { artifactLocation, region } = locations[0].physicalLocation
    expect([artifactLocation.uri, region.startLine]).toEqual(['scenarios/a%20b.yaml', 12])
  }
})

test('GitHub gets one escaped line for each failure', () => {
  const lines = written('github').trimEnd().split('\n')
  expect(lines).toHaveLength(failed.failures.length)
  for (const line of lines)
    expect(line).toMatch(
      /^::error file=scenarios\/a b\.yaml,line=12,col=3,title=[^:,]+::[^\r\n]+%0Aseed 7%0Aagain: /,
    )
  expect(lines[0]).toContain('100 %25%3A it')
})

test('the reason of a halt is in the output of every format that supports it', () => {
  const halted: ScenarioReport = {
    ...report,
    runs: [],
    halted: 'your service: it is gone. Start it.',
  }
  expect(written('tap', style, halted)).toBe(
    'TAP version 14\nBail out! your service: it is gone. Start it.\n1..0\n',
  )
  expect(written('github', style, halted)).toBe(
    '::error title=sparring::your service: it is gone. Start it.\n',
  )
  expect(JSON.parse(written('json', style, halted))).toMatchObject({
    ok: false,
    halted: halted.halted,
  })
  expect(JSON.parse(written('sarif', style, halted))).toMatchObject({
    runs: [{ invocations: [{ executionSuccessful: false }] }],
  })
})

test('JUnit reports a halt as an error, besides the finished runs', () => {
  const xml = written('junit', style, { ...report, halted: 'your service: it is <gone>.' })
  expect(wellFormedElements(xml)).toContain('error')
  expect(xml).toContain('<testsuites name="sparring" tests="4" failures="1" errors="1" skipped="1"')
  expect(xml).toContain('<error message="your service: it is &lt;gone&gt;."/>')
  expect(written('junit')).not.toContain('<error')
})

test('an interrupted report is not ok, although no run failed', () => {
  const passed = runs.slice(2)
  const ok = (more: object): unknown =>
    JSON.parse(written('json', style, { ...report, runs: passed, ...more })).ok
  expect(ok({})).toBe(true)
  expect(ok({ interrupted: true })).toBe(false)
})

test('a title with a newline and escape sequences is printed as one plain line', () => {
  const [passed] = runs.slice(2)
  const odd = { ...report, runs: [{ ...passed!, title: 'a\n::error::\u001b[31mb' }] }
  expect(written('pretty', style, odd).split('\n')[0]).toContain(
    String.raw`ok    a\n::error::\u001b[31mb  `,
  )
  expect(written('tap', style, odd)).toContain(
    String.raw`ok 3 - scenarios/a b.yaml: a\\n::error::\\u001b[31mb`,
  )
})

test('an inconclusive run is no failure anywhere, and every reporter says how late Sparring was', () => {
  const texts = Object.fromEntries(
    runReporters.map(({ name }) => [name, written(name, style, inconclusive)]),
  )
  expect(Object.entries(texts).filter(([, text]) => !text.includes('412 ms late'))).toEqual([])
  const { pretty, json = '', junit, tap, sarif = '', github } = texts
  expect(pretty).toMatch(/^\? {4} A <b>[^]*1 run: 1 inconclusive, in/)
  expect(JSON.parse(json)).toMatchObject({ ok: true, failed: 0, inconclusive: 1 })
  expect(junit).toMatch(/tests="1" failures="0" errors="0" skipped="1"/)
  expect(junit).toMatch(/<skipped message="PO-2 is inconclusive: /)
  expect(tap).toMatch(/^ok 1 - .* # SKIP PO-2 is inconclusive/m)
  expect(JSON.parse(sarif)).toMatchObject({
    runs: [{ results: [{ ruleId: 'PO-2', kind: 'review', level: 'none' }] }],
  })
  expect(github).toMatch(/^::warning /)
})

test('what broke with a first cause stands under it in pretty, and as a failure of its own elsewhere', () => {
  const [cause] = failed.failures.filter(({ verdict }) => verdict)
  if (!cause?.verdict) throw new Error('no rule failed')
  const { id } = cause.verdict
  const follower = {
    ...cause,
    because: 'CV-1 failed: it is stuck.',
    verdict: { ...cause.verdict, id: 'CV-1', follows: id },
    follows: id,
  }
  const run: RunReport = { ...failed, failures: [cause, follower] }
  const told: ScenarioReport = { ...inconclusive, runs: [run] }
  const text = written('pretty', style, told)
  expect(text.indexOf('        and with it CV-1 failed: it is stuck.')).toBeGreaterThan(
    text.indexOf(`${id} failed`),
  )
  expect(written('junit', style, told).match(/<failure/g)).toHaveLength(2)
  expect(written('junit', style, told)).toContain(`with ${id}, which failed first`)
  expect(JSON.parse(written('json', style, told))).toMatchObject({
    runs: [{ failures: [{}, { follows: id }] }],
  })
})

test('every reporter says which named rules a run did not exercise', async () => {
  const because = 'RT-5 not exercised: it is checked when a call was refused'
  const passed: RunReport = {
    ...failedRun,
    number: 1,
    result: 'passed',
    failures: [],
    outcome: await outcomeOf([]),
    unexercised: [
      {
        id: 'RT-5',
        isClaimed: true,
        path: ['expect', 'tests', 0],
        because,
        place: { line: 9, column: 3 },
      },
    ],
  }
  const what = { ...report, runs: [passed] }
  const lines = (name: string, of = what): readonly string[] => written(name, style, of).split('\n')
  expect(lines('pretty')[0]).toMatch(
    /^ok {4}A <b>.* of the session; RT-5 not exercised: it is checked when a call was refused$/,
  )
  const sum = '1 claim not exercised in 1 scenario'
  const sumUp = runReporters.filter(({ name }) => written(name, style, what).includes(sum))
  expect(sumUp.map(({ name }) => name)).toEqual(['pretty', 'json', 'tap', 'html'])
  expect(lines('tap')).toContain(`# ${because}`)
  const alsoFailed: RunReport = { ...passed, result: 'failed', failures: failed.failures }
  expect(lines('tap', { ...report, runs: [alsoFailed] })).toContain(`# ${because}`)
  expect(written('junit', style, what)).toContain(`<system-out>${because}</system-out>`)
  expect(lines('github').filter((line) => line.includes('RT-5'))).toEqual([
    expect.stringMatching(/^::notice file=scenarios\/a b\.yaml,line=9.*RT-5::RT-5 not exercised/),
  ])
  expect(JSON.parse(written('json', style, what))).toMatchObject({
    ok: true,
    runs: [{ notExercised: ['RT-5'], because }],
  })
  expect(written('html', style, what)).toContain(because)
  const { runs: sarif } = JSON.parse(written('sarif', style, what)) as {
    runs: { results: object[] }[]
  }
  expect(sarif[0]?.results).toContainEqual(
    expect.objectContaining({ ruleId: 'RT-5', level: 'note' }),
  )
})

test('where claims are required, an unexercised one fails its run in every reporter, as a failure alone', async () => {
  const because = 'SE-1 not exercised: it needs subject.effects or logistics'
  const unexercised = [{ id: 'SE-1', isClaimed: true, path: ['expect', 'tests', 0], because }]
  const base = { ...failedRun, number: 1, failures: [], unexercised } as const
  const required = withClaimsRequired({ ...base, result: 'passed', outcome: await outcomeOf([]) })
  expect(required).toMatchObject({ result: 'failed', failures: [{ kind: 'expectation', because }] })
  const what = { ...report, runs: [required] }
  const times = runReporters.map(({ name }) => written(name, style, what).split(because).length - 1)
  // JUnit says a failure in its attribute and in its text, the page in its table and in its run.
  expect(Object.fromEntries(runReporters.map(({ name }, index) => [name, times[index]]))).toEqual({
    pretty: 1,
    json: 1,
    junit: 2,
    tap: 1,
    sarif: 1,
    github: 1,
    html: 2,
  })
  expect(written('junit', style, what)).toContain('failures="1"')
  expect(written('tap', style, what)).toContain('not ok 1')
  expect(JSON.parse(written('json', style, what))).toMatchObject({ ok: false, failed: 1 })
  // A run that was skipped for want of a capability claims its rules too; one that was stopped has come to nothing.
  expect(withClaimsRequired({ ...base, result: 'skipped', because: 'x' }).result).toBe('failed')
  for (const result of ['stopped', 'inconclusive', 'failed'] as const)
    expect(withClaimsRequired({ ...base, result })).toMatchObject({ result, failures: [] })
  const onlyJudged = unexercised.map((rule) => ({ ...rule, isClaimed: false }))
  for (const some of [[], onlyJudged])
    expect(withClaimsRequired({ ...base, result: 'passed', unexercised: some }).result).toBe(
      'passed',
    )
})

test('the count of claims is that of rules in scenarios, however often each was run', () => {
  const claim = (id: string) => ({
    id,
    isClaimed: id !== 'RT-5',
    path: [],
    because: `${id} not exercised`,
  })
  const run = (file: string, ...ids: readonly string[]): RunReport => ({
    ...failedRun,
    file,
    number: 1,
    result: 'passed',
    failures: [],
    unexercised: ids.map(claim),
  })
  const runsOf = (...all: readonly RunReport[]) => unexercisedCountText({ runs: all })
  const [one, other] = [run('a.yaml', 'SE-1', 'EF-1'), run('b.yaml', 'SE-1', 'RT-5')]
  expect(runsOf(one, one, other)).toBe('3 claims not exercised in 2 scenarios')
  // RT-5 is only what the run is judged by.
  expect(runsOf(run('a.yaml', 'RT-5'))).toBeUndefined()
})

test('a run that failed names the rules that were not certain, with their clauses', () => {
  const unsure = {
    ...failed,
    outcome: { ...outcome, verdicts: [{ ...late, clauses: ['ORD-OPS-01'] }] },
  }
  expect(written('pretty', style, { ...report, runs: [unsure] })).toContain(
    `      inconclusive  PO-2: ${doubt} (ORD-OPS-01)\n`,
  )
})
