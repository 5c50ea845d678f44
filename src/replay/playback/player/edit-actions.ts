/** Edits an exchange that is played, sends it alone, or goes on from it. */
import type { PlaybackEditActions } from '../../../core/session-api/playback.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { MessageSide } from '../../../core/traffic/entities/mentions.ts'
import { editableSide } from '../../difference/edit-recording.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { Playback } from '../replay/replay.ts'
import type { PlaybackEdits } from './edits.ts'
import type { ExchangeReader } from './reader.ts'

/** The playback, as far as edits need it. */
export type EditedPlayback = Pick<Playback, 'role' | 'isAnswered' | 'sendAlone' | 'skipTo'>

export interface EditActionsOptions {
  readonly reader: ExchangeReader
  readonly edits: PlaybackEdits
  /** Undefined when nothing is played. */
  readonly playback: () => EditedPlayback | undefined
  /** The next place to play: what is before it was played. */
  readonly position: () => number
  readonly onChange: () => void
}

const noTarget = 'nothing is sent without a target: open it with --to <url of your service>'

interface Played {
  readonly recorded: RecordedExchange
  readonly side: MessageSide
  readonly playback: EditedPlayback
}

export function createEditActions(options: EditActionsOptions): PlaybackEditActions {
  const { reader, edits, position, onChange } = options

  /** The exchange as it was recorded, and the side of it that we play. */
  async function playedAt(place: number): Promise<Result<Played, string>> {
    const playback = options.playback()
    if (!playback) return err(noTarget)
    const recorded = await reader.read(place)
    const side = editableSide(recorded, playback.role)
    if (!side.ok) return side
    if (side.value === 'reply' && !playback.isAnswered)
      return err('your service makes this call, and our counterparts answer it, not the recording')
    return ok({ recorded, side: side.value, playback })
  }

  async function sentAt(place: number): Promise<Result<Played, string>> {
    const played = await playedAt(place)
    return played.ok && played.value.side === 'reply'
      ? err('your service makes this call: e changes the answer that it gets')
      : played
  }

  return {
    async document(place) {
      const played = await playedAt(place)
      if (!played.ok) return played
      const { recorded, side } = played.value
      const text = edits.document(recorded, side)
      return ok({ name: `${recorded.seq}-${side}.json`, text, isSent: side === 'request' })
    },
    async edit(place, text) {
      const played = await playedAt(place)
      if (!played.ok) return played
      const taken = edits.take({ ...played.value, place }, text)
      onChange()
      return taken
    },
    turnEdit(direction) {
      const turned = edits.turn(direction)
      onChange()
      return Promise.resolve(turned)
    },
    async sendAlone(place) {
      const sent = await sentAt(place)
      if (!sent.ok) return sent
      await sent.value.playback.sendAlone(place)
      return ok(sent.value.recorded.seq)
    },
    async goOnFrom(place) {
      const sent = await sentAt(place)
      if (!sent.ok) return sent
      const { recorded, playback } = sent.value
      if (place < position())
        return err(
          `#${recorded.seq} is over, and what your service made of it stays: S sends it once more`,
        )
      const leftOut = playback.skipTo(place)
      onChange()
      return ok({ seq: recorded.seq, leftOut })
    },
  }
}
