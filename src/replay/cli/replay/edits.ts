/** Reads `--set`: all edits that cannot be made are reported at once, before anything is sent. */
import { compact } from '../../../core/base/compact.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { recordedSubjectRole } from '../../playback/replay/options.ts'
import { type EditRecorded, editRecording } from '../../difference/edit-recording.ts'
import {
  editText,
  type ExchangeEdit,
  editedPartText,
} from '../../../core/traffic/recording/exchange-edit.ts'
import { parseEdit } from '../../difference/parse-edit.ts'
import { isRenewedHeader } from '../../../core/traffic/replayable-headers.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { ReplayReport } from '../../../core/traffic/recording/replay-report.ts'
import { exitCode } from '../../../terminal/cli/exit-code.ts'
import { shellWord } from '../../../terminal/cli/run/rerun-command.ts'
import type { ReplayFlags } from './flags.ts'

const remedy = 'Write it like #147 $.reason="x", #147 status=503 or #147 delete header.X-Foo.'

const unedited: EditRecorded = (recorded) => recorded

export function readEdits(
  { set: texts = [], as: role }: Pick<ReplayFlags, 'set' | 'as'>,
  content: RecordingContent,
): EditRecorded {
  if (texts.length === 0) return unedited
  const parsed = texts.map(parseEdit)
  const wrong = parsed.flatMap((edit, index) => (edit.ok ? [] : [{ index, because: edit.error }]))
  const edits = parsed.flatMap((edit) => (edit.ok ? [edit.value] : []))
  const edited = editRecording(content.exchanges, edits, role ?? recordedSubjectRole(content))
  const indexOf = (edit: ExchangeEdit): number =>
    parsed.findIndex((each) => each.ok && each.value === edit)
  if (!edited.ok)
    wrong.push(...edited.error.map(({ edit, because }) => ({ index: indexOf(edit), because })))
  if (edited.ok && wrong.length === 0) return edited.value
  const messages = wrong
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, because }) => problem(`reading --set ${texts[index]}`, because, remedy).message)
  throw new Problem(messages.join('\n'), exitCode.usage)
}

/** The number after `--from`, with or without its sign. */
export function parseFrom(
  text: string | undefined,
  content?: RecordingContent,
): number | undefined {
  if (text === undefined) return undefined
  const [, number] = /^#?(\d{1,15})$/.exec(text.trim()) ?? []
  if (number === undefined)
    throw problem('reading --from', `"${text}" is no number of an exchange`, 'Write #147.')
  const seq = Number(number)
  if (content && !content.exchanges.some((each) => each.seq === seq))
    throw problem(
      'reading --from',
      `${content.file} has no exchange #${seq}: its last is #${content.exchanges.at(-1)?.seq ?? 0}`,
      'Take a number of sparring diff or of the dashboard.',
    )
  return seq
}

/** The flags that make the same edits again. Credentials are not repeated. */
export const editFlags = (
  { exchanges }: RecordingContent,
  edited: EditRecorded,
): readonly string[] =>
  exchanges.flatMap((each) =>
    (edited(each).edits ?? []).map(({ part, value }) => {
      const isSecret = part.kind === 'header' && isRenewedHeader(part.name)
      const shown = isSecret && value !== undefined ? '…' : value
      return `--set ${shellWord(editText({ seq: each.seq, part, ...compact({ value: shown }) }))}`
    }),
  )

/** The edited exchanges that were not played, one line each. */
export function unplayedEdits(
  { exchanges }: RecordingContent,
  edited: EditRecorded,
  report: ReplayReport,
): readonly string[] {
  const played = new Set(
    report.exchanges.flatMap(({ recorded, live }) => (recorded && live ? [recorded.recordId] : [])),
  )
  return exchanges.flatMap((each) => {
    const { edits = [], seq, recordId } = edited(each)
    if (edits.length === 0 || played.has(recordId)) return []
    const parts = edits.map(({ part }) => editedPartText(part)).join(', ')
    return [`#${seq} was not played, so its edit had no effect: ${parts}`]
  })
}
