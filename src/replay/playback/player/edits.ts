/** The edits made while a recording is played: per exchange, with undo and redo. */
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { EditTurn } from '../../../core/session-api/playback.ts'
import { applyEdits } from '../../difference/apply-edits.ts'
import { type EditRecorded, withEditsOf } from '../../difference/edit-recording.ts'
import { appliedEditText } from '../../../core/traffic/recording/exchange-edit.ts'
import { editsOfDocument, messageDocument } from '../../difference/message-document.ts'
import type { MessageSide } from '../../../core/traffic/entities/mentions.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'

/** Maximum number of edited exchanges, and of steps that can be undone. */
const maxEdited = 1000

interface EditStep {
  readonly place: number
  readonly seq: number
  /** The edited exchange; undefined when it was not edited here. */
  readonly before: RecordedExchange | undefined
  readonly after: RecordedExchange
}

export interface PlaybackEdits {
  /** The exchange as it is played. */
  readonly edited: EditRecorded
  /** The message as it is played, as a text for an editor. */
  readonly document: (recorded: RecordedExchange, side: MessageSide) => string
  /** Takes the changed text; returns the edits that the exchange has now, or undefined when nothing was changed. */
  readonly take: (
    changed: {
      readonly recorded: RecordedExchange
      readonly side: MessageSide
      readonly place: number
    },
    text: string,
  ) => Result<readonly string[] | undefined, string>
  readonly turn: (direction: 'undo' | 'redo') => EditTurn | undefined
  /** Number of exchanges that are edited here. */
  readonly count: () => number
}

export const editTexts = ({ edits = [] }: RecordedExchange): readonly string[] =>
  edits.map(appliedEditText)

/** `initial`: what was edited before the playback began. */
export function createPlaybackEdits(initial: EditRecorded): PlaybackEdits {
  const own = new Map<string, RecordedExchange>()
  const done: EditStep[] = []
  const undone: EditStep[] = []

  function edited(recorded: RecordedExchange): RecordedExchange {
    const mine = own.get(recorded.recordId)
    return mine ? withEditsOf(recorded, mine) : initial(recorded)
  }

  function put(recordId: string, exchange: RecordedExchange | undefined): void {
    if (exchange) own.set(recordId, exchange)
    else own.delete(recordId)
  }

  return {
    edited,
    document: (recorded, side) => messageDocument(edited(recorded), side),
    take({ recorded, side, place }, text) {
      const edits = editsOfDocument(recorded, side, text)
      if (!edits.ok) return edits
      const { recordId, seq } = recorded
      const applied = applyEdits(recorded, side, edits.value)
      if (!applied.ok) return err(applied.error.map(({ because }) => because).join('; '))
      const texts = editTexts(applied.value)
      if (texts.join('\n') === editTexts(edited(recorded)).join('\n')) return ok(undefined)
      if (!own.has(recordId) && own.size >= maxEdited)
        return err(`${maxEdited} exchanges are edited already`)
      done.push({ place, seq, before: own.get(recordId), after: applied.value })
      if (done.length > maxEdited) done.shift()
      undone.length = 0
      put(recordId, applied.value)
      return ok(texts)
    },
    turn(direction) {
      const step = (direction === 'undo' ? done : undone).pop()
      if (!step) return undefined
      const { place, seq, before, after } = step
      ;(direction === 'undo' ? undone : done).push(step)
      put(after.recordId, direction === 'undo' ? before : after)
      return { place, seq }
    },
    count: () => own.size,
  }
}
