/**
 * Records a client of one of our counterparts and replays it against a fresh counterpart of the same configuration: any
 * difference is a bug in either. In process, on virtual time.
 */
import { compact } from '../../src/core/base/compact.ts'
import { openPlayback } from '../../src/replay/playback/replay/replay.ts'
import type { PlaybackOptions } from '../../src/replay/playback/replay/options.ts'
import type { Role } from '../../src/core/protocol/role.ts'
import type { Exchange } from '../../src/core/traffic/exchange.ts'
import type { RecordingContent } from '../../src/core/traffic/recording/content.ts'
import type {
  ReplayedExchange,
  ReplayReport,
} from '../../src/core/traffic/recording/replay-report.ts'
import type { Session } from '../../src/core/session-api/session.ts'

interface HasSession extends AsyncDisposable {
  readonly session: Session
}

export interface SelfReplayParts<Wire extends HasSession> {
  readonly open: () => Promise<Wire>
  /** The role of the counterpart. */
  readonly host: Role
  /** The role of the client. */
  readonly client: Role
  /**
   * Operator actions must go through `operate`, so that they are repeated on the fresh counterpart at the same instant.
   */
  readonly story: (
    wire: Wire,
    operate: (action: (wire: Wire) => unknown) => Promise<void>,
  ) => Promise<void>
  readonly options?: Partial<PlaybackOptions>
}

/** A recording in memory, with session times. */
export function contentOfExchanges(
  exchanges: readonly Exchange[],
  parties: RecordingContent['header']['_rec']['parties'],
): RecordingContent {
  const rec = {
    v: 1,
    id: '01SELFREPLAY',
    seq: 0,
    type: 'header',
    name: 'story',
    tool: 'test',
    created: '2026-01-05T15:00:00.000Z',
    t0: '2026-01-05T15:00:00.000Z',
    protocol: { name: 'protocol', version: 'v2' },
    parties: [...parties],
    redaction: { policy: 'none', keyId: null, mode: 'none' },
  } as const
  return {
    file: 'story.rec.ndjson',
    header: { _rec: { ...rec, parties: [...parties] } },
    exchanges: exchanges
      .map((exchange) => ({ ...exchange, recordId: `r${exchange.seq}` }))
      .toSorted((a, b) => a.seq - b.seq),
    problems: [],
    closed: true,
  }
}

/** Runs the story twice; returns the report of the replay. */
export async function selfReplay<Wire extends HasSession>({
  open,
  host,
  client,
  story,
  options = {},
}: SelfReplayParts<Wire>): Promise<ReplayReport> {
  const actions: { readonly after: number; readonly deed: (wire: Wire) => unknown }[] = []
  const exchanges: Exchange[] = []
  let base: string | undefined
  {
    await using first = await open()
    let asked = 0
    base = first.session.urls.get(host)
    first.session.onExchange((exchange) => {
      if (exchange.to.role === host) asked++
      exchanges.push(exchange)
    })
    await story(first, async (action) => {
      actions.push({ after: asked, deed: action })
      await action(first)
    })
  }
  const content = contentOfExchanges(exchanges, [
    { party: 'subject', role: client },
    { party: 'sparring', role: host, ...compact({ base }) },
  ])
  const begin = Math.min(...content.exchanges.map(({ startedAt }) => startedAt))
  await using fresh = await open()
  let asked = 0
  let now = (): number => begin
  const atBegin = (await fresh.session.look({})).info.clock.now
  let passed = 0

  async function catchUp(): Promise<void> {
    const behind = Math.round(now() - atBegin - passed)
    while (actions[0] && actions[0].after <= asked) await actions.shift()?.deed(fresh)
    if (behind <= 0) return
    passed += behind
    await fresh.session.advance(behind)
  }

  await using playback = await openPlayback({
    recording: content,
    role: host,
    pace: { mode: 'original' },
    origin: new Date(begin).toISOString(),
    counterparts: {
      [client]: { credentials: { clientId: 'subject', clientSecret: 'secret' } },
    },
    ...options,
    to: async (request) => {
      await catchUp()
      asked++
      const { pathname, search } = new URL(request.url)
      const there = `${fresh.session.urls.get(host) ?? ''}${pathname}${search}`
      return fresh.session.fetch(new Request(there, request))
    },
  })
  now = () => playback.now()
  // Awaited, because the session is disposed at the end of this scope.
  return await playback.run()
}

/** The differences in full, for a failing assertion. */
export const differencesOf = ({ exchanges }: ReplayReport): readonly unknown[] =>
  exchanges.flatMap((replayed: ReplayedExchange) =>
    replayed.standing === 'same' || replayed.standing === 'noise'
      ? []
      : [
          {
            standing: replayed.standing,
            operation: replayed.recorded?.operation,
            because: replayed.because,
            status: [replayed.recorded?.reply?.status, replayed.live?.reply?.status],
            differences: replayed.differences
              .filter(({ accepted }) => !accepted)
              .map(({ where, recorded, live }) => [where, recorded, live]),
          },
        ],
  )
