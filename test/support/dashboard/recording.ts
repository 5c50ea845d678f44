/** Recordings for tests of the dashboard: of any length, in a file or in memory, with plausible results of playback. */
import { compact } from '../../../src/core/base/compact.ts'
import { mkdtempSync, openSync, closeSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '../../../src/core/protocol/role.ts'
import { ok } from '../../../src/core/protocol/result.ts'
import { RecordingPlayer, type PlayerFiles } from '../../../src/replay/playback/player/player.ts'
import type { RecordingTimeline } from '../../../src/replay/playback/player/timeline.ts'
import { ordersOnly } from '../orders-only.ts'
import { sampleExchange, sampleHeader, sampleT0 } from '../sample-exchange.ts'
import type { Rule } from '../../../src/core/traffic/recording/difference.ts'
import type { Exchange } from '../../../src/core/traffic/exchange.ts'
import {
  createExchangeFormatter,
  formatLine,
} from '../../../src/core/traffic/recording/recording-lines.ts'
import type { RecordingContent } from '../../../src/core/traffic/recording/content.ts'
import { createSalt } from '../../../src/core/traffic/recording/line-ids.ts'
import type { Session } from '../../../src/core/session-api/session.ts'
import { openSession } from '../../../src/core/session/open-session.ts'

const header = sampleHeader({}, createSalt([4, 2]))

/** Exchange of one of twenty orders; every seventh is a refused confirmation. */
export function numberedExchange(seq: number): Exchange {
  const orderId = `order-${String(seq % 20).padStart(2, '0')}`
  const exchange = sampleExchange(seq, { orderId, params: { orderId } })
  if (seq % 7 !== 0) return exchange
  return {
    ...exchange,
    operation: 'confirmOrder',
    request: { ...exchange.request, method: 'POST' },
    reply: { status: 409, headers: [], body: '{"error":"too late"}' },
  }
}

/** A recording in memory with these exchanges. */
export const recordingContentOf = (count: number): RecordingContent => ({
  file: 'lunch.rec.ndjson',
  header,
  exchanges: Array.from({ length: count }, (_, index) => ({
    ...numberedExchange(index + 1),
    recordId: `record-${index + 1}`,
  })),
  problems: [],
  closed: true,
})

const folders: string[] = []

/** Deletes the written recordings, which may be large. */
export function removeRecordings(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** Writes a recording of `count` exchanges; returns the path of the file. */
export function writeRecording(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-tape-'))
  folders.push(folder)
  const file = join(folder, 'lunch.rec.ndjson')
  const line = createExchangeFormatter({ header, t0: sampleT0 })
  const fd = openSync(file, 'w')
  writeSync(fd, formatLine(header))
  for (let from = 1; from <= count; from += 1000) {
    const many = Math.min(1000, count - from + 1)
    writeSync(
      fd,
      Array.from({ length: many }, (_, index) => line(numberedExchange(from + index))).join(''),
    )
  }
  closeSync(fd)
  return file
}

/** The timeline, with a count of its reads. */
export function withReadCount(timeline: RecordingTimeline): {
  readonly timeline: RecordingTimeline
  readonly reads: () => number
} {
  let reads = 0
  return {
    reads: () => reads,
    timeline: {
      ...timeline,
      at(place) {
        reads++
        return timeline.at(place)
      },
    },
  }
}

export interface InMemoryPlayerFiles extends PlayerFiles {
  readonly kept: {
    marks: readonly { readonly seq: number; readonly text: string }[]
    rules: Rule[]
  }
}

/** Bookmarks and rules of a recording, in memory. */
export function filesInMemory(marks: PlayerFiles['marks'] = []): InMemoryPlayerFiles {
  const kept: InMemoryPlayerFiles['kept'] = { marks, rules: [] }
  return {
    marks,
    kept,
    saveBookmarks(own) {
      kept.marks = own
      return Promise.resolve(ok('lunch.marks.json'))
    },
    saveRule(rule) {
      kept.rules.push(rule)
      return Promise.resolve(ok('lunch.rules.json'))
    },
  }
}

export interface OpenedPlayer extends AsyncDisposable {
  readonly player: RecordingPlayer
  readonly face: ReturnType<RecordingPlayer['over']>
  readonly session: Session
  readonly files: InMemoryPlayerFiles
  /** What was sent alone, and what was gone on from. */
  readonly played: readonly string[]
}

/** A player on a session without activity. */
export async function openPlayer(
  timeline: RecordingTimeline,
  target?: string,
  role: Role = 'ordering-application',
  files = filesInMemory(),
): Promise<OpenedPlayer> {
  const session = await openSession({
    clock: 'stepped',
    listen: false,
    capabilities: ordersOnly,
    tolerances: { on: false },
  })
  const played: string[] = []
  const player = new RecordingPlayer({
    timeline,
    files,
    rules: [],
    ...compact({ target }),
  })
  return {
    player,
    session,
    files,
    played,
    face: player.over(session, {
      wanted: ({ to }) => to.party === 'sparring',
      role,
      isAnswered: false,
      sendAlone(place) {
        played.push(`alone ${place}`)
        return Promise.resolve()
      },
      skipTo(place) {
        played.push(`skip to ${place}`)
        return 3
      },
    }),
    [Symbol.asyncDispose]: () => session.close(),
  }
}
