// @module-tag slow
/** Sessions in worker threads: what is asked for is played first, and what happens to a thread is said. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { exploreReference } from '../../../test/support/explore-reference.ts'
import { createServiceModules } from '../../../test/support/service-modules.ts'
import { writtenWorkloads } from '../../../test/support/written-workloads.ts'
import type { CampaignRecord } from '../campaign/campaign-record.ts'
import { createSchedule } from '../schedules/schedule.ts'
import { workloadsOf } from '../workloads/workloads.ts'
import { SessionWorkers } from './session-workers.ts'

const { folder, moduleOf, referenceFile, dispose } = createServiceModules()
afterAll(dispose)

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
