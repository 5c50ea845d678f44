// @module-tag slow
/** Recordings of one story on different clocks: the same scenario, and the same replays. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ClockStoryOptions,
  orderOf,
  recordClockStory,
  recordClockStoryLive,
  serveStoryService,
  storyCallMs,
  storyThinkMs,
} from '../../../test/support/clock-story.ts'
import { redriveInProcess } from '../../../test/support/redrive-harness.ts'
import { openReplayServer } from '../../../test/support/replay-server-harness.ts'
import { isSoak } from '../../../test/support/soak.ts'
import { parseDuration } from '../protocol/duration.ts'
import { scenarioText } from '../../replay/from-recording/scenario-text.ts'
import { eventTypeOf } from '../traffic/recording/split-by-event.ts'
import type { StateLine } from '../traffic/recording/format.ts'
import type { RecordingContent } from '../traffic/recording/content.ts'
import type { ReplayReport } from '../traffic/recording/replay-report.ts'
import { replayByDecisions } from '../../replay/playback/replay/redrive.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-clocks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const clocks: Readonly<Record<string, Pick<ClockStoryOptions, 'clock' | 'speed'>>> = {
  'speed 1': { clock: 'real' },
  'speed 4': { clock: 'real', speed: 4 },
  'speed 20': { clock: 'real', speed: 20 },
  stepped: { clock: 'stepped' },
  virtual: { clock: 'virtual' },
}
const names = Object.keys(clocks)
const channels = ['webhook', 'polling'] as const

const fileOf = (...place: readonly string[]): string => join(folder, ...place, 'story.rec.ndjson')

const recordings = new Map<string, RecordingContent>()

/** One after the other, since they share the simulated wall clock. */
beforeAll(async () => {
  for (const channel of channels)
    for (const [name, clock] of Object.entries(clocks)) {
      const file = fileOf(channel, name)
      recordings.set(`${channel} ${name}`, await recordClockStory({ ...clock, file, channel }))
    }
})

function recorded(name: string, channel: (typeof channels)[number] = 'webhook'): RecordingContent {
  const content = recordings.get(`${channel} ${name}`)
  if (!content) throw new Error(`${name} was not recorded`)
  return content
}

function scenario(content: RecordingContent): string {
  const { text, warnings } = scenarioText(content)
  expect(warnings).toEqual([])
  return text
}

const rowsOf = ({ exchanges, counts, first, unused }: ReplayReport) => ({
  first,
  counts,
  unused: unused.length,
  rows: exchanges.map(({ standing, recorded: then, live }) => [
    standing,
    (then ?? live)?.operation,
    then?.reply?.status,
    live?.reply?.status,
  ]),
})

/** The delays of a scenario in ms, and the rest without timeouts and the dates of orders. */
function withoutDelays(text: string): { readonly rest: string; readonly delays: number[] } {
  const delays: number[] = []
  const rest = text.replaceAll(/(?<=advance: |by: |processing: |After: )[\w.]+/g, (delay) => {
    delays.push(/^\d+$/.test(delay) ? Number(delay) : (parseDuration(delay) ?? Number.NaN))
    return '…'
  })
  return { rest: rest.replaceAll(/(?<=within: )\w+|(?<=DateTime: ").*?(?=")/g, '…'), delays }
}

/** The greatest difference between delays of two scenarios, in ms; the whole text where anything else differs. */
function delayDifference(text: string, other: string): number | string {
  const [one, two] = [withoutDelays(text), withoutDelays(other)]
  if (one.rest !== two.rest) return text
  return Math.max(...one.delays.map((delay, index) => Math.abs(delay - (two.delays[index] ?? 0))))
}

describe.each(names)('%s', (name) => {
  const resolutionMs = 10 * (clocks[name]?.speed ?? 1)

  test('is stated in the header', () => {
    const { clock, speed = 1 } = clocks[name] ?? { clock: 'real' }
    expect(recorded(name).header._rec.clock).toEqual({ mode: clock, speed })
  })

  test('gives the scenario of the virtual clock', () => {
    expect(scenario(recorded(name))).toBe(scenario(recorded('virtual')))
  })

  test('gives the scenario of the virtual clock, but for when the service polled', () => {
    const virtual = scenario(recorded('virtual', 'polling'))
    const difference = delayDifference(scenario(recorded(name, 'polling')), virtual)
    expect(difference).toBeLessThanOrEqual(resolutionMs)
  })

  test.each(channels)('is replayed by decisions without a difference: %s', async (channel) => {
    const options = { channel, thinkMs: storyThinkMs }
    const report = await redriveInProcess(recorded(name, channel), options)
    expect(report.first).toBeUndefined()
    if (channel === 'polling') return
    expect(rowsOf(report)).toEqual(rowsOf(await redriveInProcess(recorded('virtual'), options)))
  })

  test('is sent again without a difference, as on the virtual clock', async () => {
    const sent = async (content: RecordingContent) => {
      const servicePace = { thinkMs: storyThinkMs }
      const options = { channel: 'webhook', driven: true, servicePace } as const
      await using driven = await openReplayServer(content, options)
      return await driven.all()
    }
    const report = await sent(recorded(name))
    expect(report.first).toBeUndefined()
    expect(rowsOf(report)).toEqual(rowsOf(await sent(recorded('virtual'))))
  })
})

test('at speed 1 a line has one time, elsewhere also that of the wall clock', () => {
  expect(recorded('speed 1').exchanges.some(({ wall }) => wall)).toBe(false)
  const { exchanges } = recorded('speed 20')
  expect(exchanges.every(({ wall }) => wall?.speed === 20)).toBe(true)
  const webhooks = exchanges.filter(({ operation }) => operation === 'receiveOrderEvent')
  for (const { tookMs, wall } of webhooks)
    expect([tookMs, wall?.tookMs]).toEqual([20 * storyCallMs, storyCallMs])
  expect(recorded('virtual').exchanges.every(({ wall }) => wall && !wall.speed)).toBe(true)
})

test('where the clock changes on the way, times go on and a line says so', async () => {
  const file = fileOf('changed')
  const content = await recordClockStory(
    { file, clock: 'real', channel: 'webhook' },
    async (session, pass) => {
      await pass(1000)
      await orderOf(session, 'TAKEOUT')
      await pass(1000)
      await session.setClock({ speed: 20 })
      await orderOf(session, 'TAKEOUT')
      await pass(1000)
      await session.setClock({ mode: 'virtual' })
      await orderOf(session, 'TAKEOUT')
      await session.settle()
      await session.setClock({ mode: 'real', speed: 1 })
      await orderOf(session, 'TAKEOUT')
      await pass(1000)
    },
  )
  const states = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"type":"state"'))
    .map((line) => (JSON.parse(line) as StateLine)._rec)
    .filter(({ clock }) => clock !== undefined)
  expect(states.map(({ clock }) => clock)).toEqual([
    { mode: 'real', speed: 20 },
    { mode: 'virtual', speed: 1 },
    { mode: 'real', speed: 1 },
  ])
  expect(states.slice(0, 2).map(({ t }) => t?.q0)).toEqual([2_000_000, 22_000_000])
  const times = content.exchanges.map(({ startedAt }) => startedAt)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const created = content.exchanges.filter((each) => eventTypeOf(each) === 'CREATED')
  expect(created).toHaveLength(4)
  for (const { startedAt, request } of created) {
    const { createdAt } = JSON.parse(request.body ?? '{}') as { createdAt: string }
    expect(startedAt - Date.parse(createdAt)).toBeGreaterThanOrEqual(0)
    expect(startedAt - Date.parse(createdAt)).toBeLessThan(50)
  }
})

test('the scenario has the delays of the story and no other', () => {
  const text = scenario(recorded('speed 20'))
  expect(text.match(/advance: .*/g)).toEqual(['advance: 2s', 'advance: 3s', 'advance: 1.5s'])
  expect(text).toMatch(/^faults:\n {2}- delay: \{ event: CONFIRMED, order: o1, by: 4000 \}\n\w/m)
})

test.runIf(isSoak)(
  'over sockets in real time: the same scenario at every speed, replayed without a difference',
  { timeout: 300_000 },
  async () => {
    const live = await Promise.all(
      [1, 4, 20].map((speed) =>
        recordClockStoryLive({
          file: fileOf('live', String(speed)),
          clock: 'real',
          speed,
          channel: 'webhook',
        }),
      ),
    )
    // A busy machine is late; a delay that nobody made would be a line more.
    for (const content of live)
      expect(delayDifference(scenario(content), scenario(recorded('virtual')))).toBeLessThan(1000)
    const reports = await Promise.all(
      live.map(async (recording) => {
        let partner = ''
        await using service = await serveStoryService(1, 'webhook', () => partner)
        return await replayByDecisions({
          recording,
          to: service.url,
          port: 0,
          subject: { webhooks: { orders: '/webhooks/orders' } },
          connect(session) {
            partner = session.urls.get('ordering-application') ?? ''
            service.start()
            return undefined
          },
        })
      }),
    )
    for (const report of reports) expect(report.first).toBeUndefined()
  },
)
