/**
 * Memory of everything else that runs: replays by every driver, the recording player, the recording proxy. Each gets
 * more than its results may take; the heap is measured while its result is held.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runRecord } from '../src/replay/cli/record/run-record.ts'
import { replayByDecisions } from '../src/replay/playback/replay/redrive.ts'
import { openPlayback } from '../src/replay/playback/replay/replay.ts'
import { timelineOfContent } from '../src/replay/playback/player/timeline.ts'
import type { RecordedExchange } from '../src/core/traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../src/core/traffic/recording/content.ts'
import { defaultRule } from '../src/replay/difference/rule-book.ts'
import { openPlayer, recordingContentOf } from './support/dashboard/recording.ts'
import { ordersOnly } from './support/orders-only.ts'
import { recordHarness } from './support/recorded-session.ts'
import { largeText, reachableMb } from './support/retained-memory.ts'
import { isSoak } from './support/soak.ts'
import { createTestIo } from './support/test-io.ts'
import { maxKeptReplayChars } from '../src/replay/minimise/report-builder.ts'

/** Characters of one body: what a message may be long, nearly. */
const large = 8_000_000
/** All together are much more than any result may hold. */
const exchanges = 20

/** What each of the proxy's messages is long, which are all written to a file. */
const proxied = large / 4

/** What a replay may hold of them, and what else it takes. */
const maxReplayMb = maxKeptReplayChars / 1e6 + 16
/** What others may hold. */
const maxOtherMb = 24

const folder = mkdtempSync(join(tmpdir(), 'sparring-memory-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Comparing so much takes seconds. */
const timeout = 120_000

const numbers = Array.from({ length: exchanges }, (_, index) => index + 1)

/** A recording of webhooks that the service answered with a word. */
function recordedWebhooks(): RecordingContent {
  const content = recordingContentOf(exchanges)
  return {
    ...content,
    exchanges: content.exchanges.map((each): RecordedExchange => ({
      ...each,
      operation: 'receiveOrderEvent',
      from: { role: 'ordering-application', party: 'sparring' },
      to: { role: 'software-service', party: 'subject' },
      request: {
        method: 'POST',
        url: 'http://subject.test/webhooks/orders',
        headers: [['content-type', 'application/json']],
        body: JSON.stringify({ number: each.seq }),
      },
      reply: { status: 200, headers: [], body: 'a word' },
    })),
  }
}

interface Held extends AsyncDisposable {
  /** What the user looks at in the end. */
  readonly result: unknown
}

const held = (result: unknown, close: () => unknown = () => undefined): Held => ({
  result,
  async [Symbol.asyncDispose]() {
    await close()
  },
})

const replays: Readonly<Record<string, () => Promise<Held>>> = {
  async 'replay as the client'() {
    const content = recordedWebhooks()
    let number = 0
    const playback = await openPlayback({
      recording: content,
      to: async () => new Response(largeText(number++, large)),
      clock: 'virtual',
      listen: false,
      capabilities: ordersOnly,
    })
    const report = await playback.run()
    expect(report.exchanges).toHaveLength(exchanges)
    expect(report.exchanges.at(-1)?.because).toContain('bodies are left out')
    return held([report, playback], () => playback.close())
  },
  async 'replay as the server'() {
    const { content } = await recordHarness({ channel: 'polling' }, async (harness) => {
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
    })
    const playback = await openPlayback({
      recording: content,
      serves: {},
      clock: 'virtual',
      automatic: false,
      listen: false,
      capabilities: ordersOnly,
    })
    const run = playback.run()
    const base = playback.session.urls.get('ordering-application') ?? ''
    const client = { client_id: 'subject', client_secret: 'secret' }
    const issued = await playback.session.fetch(
      new Request(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams(client) }),
    )
    const { access_token: token } = (await issued.json()) as { access_token: string }
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    for (const number of numbers)
      await playback.session.fetch(
        new Request(`${base}/orders/o-${number}/confirm`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ more: largeText(number, large) }),
        }),
      )
    playback.stop()
    const report = await run
    expect(report.counts.extra).toBe(exchanges)
    return held([report, playback], () => playback.close())
  },
  async 'replay of decisions'() {
    const { content } = await recordHarness({ channel: 'polling' }, async (harness) => {
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
    })
    const warnings: string[] = []
    const report = await replayByDecisions({
      recording: content,
      role: 'software-service',
      to: async () => new Response(),
      onWarning: (text) => warnings.push(text),
      async met(session) {
        const base = session.urls.get('ordering-application') ?? ''
        for (const number of numbers)
          await session.fetch(
            new Request(`${base}/nowhere/${number}`, {
              method: 'POST',
              body: largeText(number, large),
            }),
          )
      },
    })
    expect(report.interrupted).toBe(true)
    expect(warnings.join()).toContain('take more than 64 MB')
    return held(report)
  },
  async 'a recording on the screen'() {
    const timeline = timelineOfContent(recordedWebhooks())
    const opened = await openPlayer(timeline, 'http://subject.test')
    for (const number of numbers) {
      const recorded = await timeline.at(number - 1)
      const reply = { status: 500, headers: [], body: largeText(number, large) }
      const live = { ...recorded, reply }
      const difference = {
        side: 'reply',
        where: '/body',
        kind: 'value',
        recorded: 'a word',
        live: reply.body,
        rule: defaultRule,
        accepted: false,
      } as const
      opened.player.ports.onReplayed(
        { standing: 'changed', recorded, live, renamed: live, differences: [difference] },
        number - 1,
      )
    }
    const seen = await opened.face.look({
      playback: { rows: { around: 0, limit: 20 }, pair: 3, orders: { limit: 5 } },
    })
    expect(seen.playback?.total).toBe(exchanges)
    return held([opened, seen], () => opened[Symbol.asyncDispose]())
  },
}

for (const [what, run] of Object.entries(replays))
  test.runIf(isSoak)(
    `${what} of large exchanges is held in bounded memory`,
    { timeout },
    async () => {
      const before = await reachableMb()
      await using holding = await run()
      const kept = (await reachableMb()) - before
      expect(holding.result).toBeDefined()
      expect(kept).toBeLessThan(maxReplayMb)
    },
  )

test.runIf(isSoak)('the recording proxy holds no large exchange', { timeout }, async () => {
  let number = 0
  const partner = createServer((request, response) => {
    request.resume().on('end', () => response.end(largeText(number++, proxied)))
  }).listen(0, '127.0.0.1')
  await once(partner, 'listening')
  const terminal = createTestIo({ cwd: folder })
  const output = join(folder, 'large.rec.ndjson')
  const to = [`http://127.0.0.1:${(partner.address() as AddressInfo).port}`]
  const before = await reachableMb()
  const running = runRecord(
    { to, as: 'software-service', output, port: 0, json: true, 'raw=unsafe': true },
    terminal.io,
  )
  try {
    await expect.poll(() => terminal.written().stdout).toContain('\n')
    const ready = JSON.parse(terminal.written().stdout.split('\n')[0] ?? '') as {
      counterparts: Record<string, string>
    }
    const base = ready.counterparts['ordering-application'] ?? ''
    for (const each of numbers) {
      const answer = await fetch(`${base}/orders/o-${each}`, {
        method: 'POST',
        body: largeText(each, proxied),
      })
      await answer.arrayBuffer()
    }
    const lines = (): number => terminal.written().stdout.split('\n').length - 2
    await expect.poll(lines).toBe(exchanges)
    await expect
      .poll(async () => (await reachableMb()) - before, { timeout: 10_000 })
      .toBeLessThan(maxOtherMb)
  } finally {
    terminal.interrupt('SIGINT')
    await running
    partner.closeAllConnections()
    partner.close()
  }
  expect(terminal.written().stderr).toContain(`${exchanges} exchanges in`)
})
