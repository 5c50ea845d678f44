/** Notes of an operator on exchanges of a session: in its traffic log, and in its recording where it has one. */
import { compact } from '../base/compact.ts'
import { type Refusal, refuse } from '../engine/refusal.ts'
import { ok, type Result } from '../protocol/result.ts'
import type { Recorder } from '../runtime/recording/recorder.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { type ExchangeNote, noteProblem } from '../traffic/note.ts'

interface NotesOptions {
  readonly log: Pick<TrafficLog, 'note'>
  readonly recorder: Pick<Recorder, 'note'> | undefined
  readonly onChange: () => void
}

export const createNotes =
  ({ log, recorder, onChange }: NotesOptions) =>
  async (seq: number, text: string): Promise<Result<ExchangeNote, Refusal>> => {
    const problem = noteProblem(text)
    if (problem !== undefined) return refuse('INVALID_PAYLOAD', problem)
    const note = text.trim() === '' ? undefined : text.trim()
    if (!log.note(seq, note))
      return refuse(
        'NOT_FOUND',
        `there is no #${seq} to note anything at: the last exchanges only are in memory`,
      )
    recorder?.note(seq, note ?? '')
    onChange()
    return ok({ seq, ...compact({ note }) })
  }
