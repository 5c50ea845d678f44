// @module-tag slow
/** Sessions in worker threads: what is found does not depend on their number, and what happens to one of them is said. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { exploreReference } from '../../../test/support/explore-reference.ts'
import {
  createReferenceRunner,
  createReferenceWorkers,
} from '../../../test/support/reference-runner.ts'
import { isSoak, runsFor } from '../../../test/support/soak.ts'
import { writtenWorkloads } from '../../../test/support/written-workloads.ts'
import type { DefectName } from '../../demo/defects.ts'
import type { ScheduleRunner } from '../batch/schedule-runner.ts'
import { runCampaign } from '../campaign/campaign.ts'
import type { CampaignRecord } from '../campaign/campaign-record.ts'
import { createSchedule } from '../schedules/schedule.ts'
import { workloadsOf } from '../workloads/workloads.ts'
import { SessionWorkers } from './session-workers.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-workers-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A module in a file of its own. */
function moduleOf(name: string, ...lines: readonly string[]): URL {
  const file = join(folder, name)
  writeFileSync(file, lines.join('\n'))
  return pathToFileURL(file)
}

const support = new URL('../../../test/support/explore-reference.ts', import.meta.url).href

/** The reference service, with lines of its own for each request. */
const referenceFile = (name: string, defect: DefectName, ...onRequest: readonly string[]): URL =>
  moduleOf(
    name,
    "import { existsSync, writeFileSync } from 'node:fs'",
    `import { referenceModule } from ${JSON.stringify(support)}`,
    `const service = referenceModule({ defects: ['${defect}'], channel: 'polling' })`,
    'let requests = 0',
    'const subject = (request: Request): Promise<Response> => {',
    '  requests++',
    ...onRequest,
    '  return service.subject(request)',
    '}',
    'export default { ...service, subject }',
  )

/** What is measured on the wall clock left out. */
const lasting = (each: CampaignRecord): CampaignRecord => {
  if (each.type !== 'batch') return each
  const { answerMs: _answerMs, ...pace } = each.pace
  return { ...each, pace }
}

async function hashOf(runner: ScheduleRunner, maxRuns: number, names?: readonly string[]) {
  const hash = createHash('sha256')
  const { schedules, buckets } = await runCampaign({
    seed: 5,
    channels: ['polling', 'webhook'],
    workloads: workloadsOf('software-service').filter(({ name }) => names?.includes(name) ?? true),
    runner,
    budget: { maxRuns },
    now: () => 0,
    kindOf: () => 'safety',
    enough: new AbortController().signal,
    onRecord: (each) => void hash.update(JSON.stringify(lasting(each))),
  })
  return { hash: hash.digest('hex'), schedules: schedules.size, rules: rulesOf(buckets) }
}

const rulesOf = (buckets: ReadonlyMap<string, { readonly rule: string }>) =>
  [...new Set(Array.from(buckets.values(), ({ rule }) => rule))].sort()

/** All of them take minutes: 2,000 with `npm run soak`, which plays them in one, two and four threads. */
const hashedRuns = runsFor(40, 2000)
const threadCounts = isSoak ? [1, 2, 4] : [2]
const names = isSoak ? undefined : ['takeout', 'cancelled-early']
const defects = ['cancels-on-timeout'] as const
const campaignOf = { seed: 5, defects }

describe(`with ${threadCounts.join(', ')} threads`, () => {
  test('each record is that of a campaign in this thread', { timeout: 3_600_000 }, async () => {
    const here = await hashOf(createReferenceRunner(campaignOf), hashedRuns, names)
    expect(here.schedules).toBeGreaterThan(0.75 * hashedRuns)
    expect(here.rules).toContain('SE-5')
    for (const workers of threadCounts) {
      await using threads = createReferenceWorkers(campaignOf, workers)
      expect([workers, await hashOf(threads, hashedRuns, names)]).toEqual([workers, here])
    }
  })
})

test('what is asked for goes before what is expected, and that is there when it is asked for', async () => {
  const own = new URL('session-workers.ts', import.meta.url).href
  const program = moduleOf(
    'counts.ts',
    `import { answerPlays } from ${JSON.stringify(own)}`,
    'let order = 0',
    'answerPlays({ play: async () => ++order } as never)',
  )
  const enough = new AbortController().signal
  await using threads = new SessionWorkers({
    program,
    data: undefined,
    workers: 1,
    width: () => 1,
    enough,
  })
  const [first, second, third] = workloadsOf('crm').map((workload) => [
    { workload, schedule: createSchedule(workload.name, []) },
  ])
  if (!first || !second || !third) throw new Error('there are three')
  threads.expect([{ entries: first }, { entries: second }])
  expect(await threads.play(third)).toBe(2)
  expect([await threads.play(second), await threads.play(first)]).toEqual([3, 1])
  expect(await threads.play(first)).toBe(4)
})

describe('a service in a module', () => {
  const small = {
    channel: 'polling',
    workloads: writtenWorkloads('software-service', ['takeout']),
    maxRuns: 16,
    workers: 1,
  } as const

  test('has the buckets that it has as functions', async () => {
    const subject = referenceFile('wrong.ts', 'cancels-on-timeout')
    const there = await exploreReference(small, { subject })
    const { workers: _workers, ...inThisThread } = small
    const here = await exploreReference({ ...inThisThread, defects })
    expect(there.buckets.length).toBeGreaterThan(0)
    expect(there.buckets).toEqual(here.buckets)
  })

  test('that ends its thread is an error that names the schedule, and has what was found', async () => {
    const found: string[] = []
    const isFound = join(folder, 'found')
    const ends = `  if (existsSync(${JSON.stringify(isFound)})) process.exit(7)`
    const subject = referenceFile('exits.ts', 'cancels-on-timeout', ends)
    const one = {
      ...small,
      onRecord(each: CampaignRecord) {
        if (each.type !== 'bucket') return
        found.push(each.bucket.rule)
        writeFileSync(isFound, '')
      },
    }
    const error: unknown = await exploreReference(one, { subject }).catch((each: unknown) => each)
    expect(String(error)).toMatch(
      /^Problem: playing schedules in a worker thread: it ended with code 7 while it played "takeout/,
    )
    expect(found.length).toBeGreaterThan(0)
    expect(error).toHaveProperty('cause.buckets.length', found.length)
  })

  test('whose promise fails unhandled is an error with its place', async () => {
    const subject = referenceFile(
      'fails.ts',
      'never-acks',
      "  if (requests > 20) void Promise.reject(new Error('the printer is out of paper'))",
    )
    await expect(exploreReference(small, { subject })).rejects.toThrow(
      /Error: the printer is out of paper at .*fails\.ts:/,
    )
  })

  const hanging = join(folder, 'hanging')
  const hang = [`  writeFileSync(${JSON.stringify(hanging)}, '')`, '  for (;;);']

  test('that hangs is left when the time is over', async () => {
    const subject = referenceFile('hangs.ts', 'never-acks', ...hang)
    await expect(exploreReference({ ...small, maxMs: 1000 }, { subject })).rejects.toThrow(
      'the time was over before any fault was tried',
    )
  })

  test('that hangs is left when its campaign is interrupted', async () => {
    rmSync(hanging, { force: true })
    const stop = new AbortController()
    const subject = referenceFile('hangs.ts', 'never-acks', ...hang)
    const explored = exploreReference({ ...small, signal: stop.signal }, { subject })
    await expect.poll(() => existsSync(hanging)).toBe(true)
    stop.abort()
    const { state } = await explored
    expect(state.ended()?.reason).toBe('interrupted')
  })

  test.each([
    [
      'of which connect is no part',
      { connect: () => undefined },
      /and connect is not.*Add connect/,
    ],
    [
      'that is an address',
      { subject: new URL('http://localhost:3000') },
      /is no file\. Play it with/,
    ],
    [
      'that is a function',
      { subject: () => Promise.resolve(new Response()) },
      /functions cannot be sent to worker threads/,
    ],
    [
      'in a missing file',
      { subject: pathToFileURL(join(folder, 'none.ts')) },
      /running .*none\.ts/,
    ],
    [
      'without a subject',
      { subject: moduleOf('empty.ts', 'export default { fetch: () => undefined }') },
      /subject is no function of its default export.*End it with export default/,
    ],
  ] as const)('%s is refused before anything is played', async (_name, service, message) => {
    const subject = referenceFile('whole.ts', 'never-acks')
    await expect(exploreReference(small, { subject, ...service })).rejects.toThrow(message)
  })

  test.each([0, 1.5, 65])('in %s threads is refused', async (workers) => {
    const subject = referenceFile('whole.ts', 'never-acks')
    await expect(exploreReference({ ...small, workers }, { subject })).rejects.toThrow(
      `it is ${workers}. Give a whole number from 1 to 64.`,
    )
  })
})
