/**
 * Opens a recording file: writes a header to a new one, resumes an existing one under its own header. A file that is
 * no recording, or was redacted differently, is not touched.
 */
import { createRedactor } from '../../traffic/redaction/redactor.ts'
import { randomBytes } from 'node:crypto'
import { err, ok, type Result } from '../../protocol/result.ts'
import {
  createHeaderLine,
  type RecordingInfo,
  redactionPolicy,
} from '../../traffic/recording/recording-lines.ts'
import type { HeaderLine } from '../../traffic/recording/format.ts'
import { createSalt } from '../../traffic/recording/line-ids.ts'
import { readRecordedLine } from '../../traffic/recording/reader.ts'
import { type LineFile, openLineFile } from './line-file.ts'
import { type RecordingSurvey, surveyRecording } from './recording-survey.ts'
import type { RedactionKey } from './redaction-key.ts'

/** Redaction of a recording: on by default; raw only on request. */
export type RecordingRedaction =
  | { readonly redact: true; readonly key: RedactionKey }
  /** Unredacted, including secrets and personal data; `unsafe` allows places that git does not ignore. */
  | { readonly redact: false; readonly unsafe?: boolean | undefined }

export type RecordingFileOptions = RecordingRedaction & {
  readonly file: string
  /** Session time at the start in milliseconds since 1970: zero of the recording's times. */
  readonly t0: number
  /** The wall clock then; `t0` when absent. */
  readonly createdAt?: number
  /** Session data for the header. */
  readonly info: Omit<RecordingInfo, 'redaction'>
}

export interface RecordingFile {
  readonly target: LineFile
  readonly header: HeaderLine
  /** Start time from the header, in milliseconds since 1970. */
  readonly t0: number
  /** Whether the header must still be written. */
  readonly isNew: boolean
  readonly survey: RecordingSurvey
}

export const redactionInfo = (options: RecordingRedaction): RecordingInfo['redaction'] =>
  options.redact
    ? { policy: redactionPolicy, keyId: options.key.keyId, mode: 'pseudonym' }
    : { policy: 'none', keyId: null, mode: 'none' }

/** Parses the header of a file; undefined when it has none yet, an error when it is no recording. */
export function readRecordingHeader(beginning: string): Result<HeaderLine | undefined, string> {
  if (beginning === '') return ok(undefined)
  const end = beginning.indexOf('\n')
  // A crash may have left a partial header, which is repaired like any torn line.
  if (end < 0 && beginning.startsWith('{"_rec":{')) return ok(undefined)
  const line = readRecordedLine(end < 0 ? beginning : beginning.slice(0, end))
  if (line.ok && line.value.kind === 'header') return ok(line.value.line)
  const because = line.ok ? 'its first line is no header' : `of its first line, ${line.error}`
  return err(`it is no recording: ${because}. Name another file`)
}

const subjectOf = (parties: RecordingInfo['parties']): string =>
  parties.find(({ party }) => party === 'subject')?.role ?? 'no service'

/**
 * Why a recording cannot be resumed: with another redaction, one person would get two pseudonyms; its header says whose
 * traffic it is, and in which version of the protocol.
 */
export function resumeRefusal(
  { _rec: { redaction, parties, protocol } }: HeaderLine,
  options: RecordingRedaction & Pick<RecordingFileOptions, 'info'>,
): string | undefined {
  const { info } = options
  const [was, is] = [subjectOf(parties), subjectOf(info.parties)]
  if (was !== is) return `it is about ${was}, and this session about ${is}. Name another file`
  if (protocol.version !== info.protocol.version)
    return `it is of protocol version ${protocol.version}, and this session of ${info.protocol.version}. Name another file`
  const { mode, keyId } = redactionInfo(options)
  if (redaction.mode !== mode)
    return `it was begun with redaction "${redaction.mode}", and "${mode}" is asked for. Name another file`
  if (redaction.keyId !== keyId)
    return `it was begun with the redaction key ${redaction.keyId}, and yours is ${keyId}. Name another file`
  return undefined
}

/** The header of a new recording. It has whole milliseconds, so times count from one. */
export function newRecordingHeader(
  options: RecordingFileOptions,
): Pick<RecordingFile, 'header' | 't0'> {
  const t0 = Math.floor(options.t0)
  const info = { ...options.info, redaction: redactionInfo(options) }
  const salt = createSalt(randomBytes(9))
  const redactor = options.redact ? createRedactor(options.key.hash) : undefined
  return {
    t0,
    header: createHeaderLine({ info, t0, createdAt: options.createdAt, salt, redactor }),
  }
}

export function openRecordingFile(options: RecordingFileOptions): Result<RecordingFile, string> {
  let found: HeaderLine | undefined
  const accept = (beginning: string): string | undefined => {
    const header = readRecordingHeader(beginning)
    if (!header.ok) return header.error
    found = header.value
    return found && resumeRefusal(found, options)
  }
  const opened = openLineFile(options.file, { accept, isPrivate: !options.redact })
  if (!opened.ok) return opened
  const target = opened.value
  const survey = surveyRecording(target)
  // A partial header was moved aside with the torn tail.
  if (found && target.size > 0)
    return ok({ target, header: found, t0: Date.parse(found._rec.t0), isNew: false, survey })
  return ok({ target, ...newRecordingHeader(options), isNew: true, survey })
}
