/** Parses and validates a request body by the operation's schema. Independent of single operations. */
import { isDeeperThan } from '../../traffic/json/json-depth.ts'
import { invalidBodyText, noJsonText } from '../../rules/diagnosis/requests/refused-request.ts'
import { jsonProblemText } from '../../protocol/issue-text.ts'
import { maxNestingLevels } from '../../protocol/json-value.ts'
import type { Operation } from '../../protocol/operation.ts'
import type { IncomingRequest } from './messages.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { BodyTranslator } from '../../protocol/translation/translator.ts'

/** Whether brackets outside strings nest deeper than allowed. */
export const isTooDeep = (text: string): boolean => isDeeperThan(text, maxNestingLevels)

/** What stands for bytes that are no UTF-8, and what UTF-16 begins with. */
const lostByte = 0xff_fd
const byteOrderMark = 0xfe_ff

/** Encodings by the begin of a body that is no JSON since it has one of them. */
const encodings: readonly (readonly [
  text: string,
  begins: (first: number, second: number, begin: string) => boolean,
])[] = [
  [
    'the body is compressed with gzip',
    (first, second) => first === 0x1f && [0x8b, lostByte].includes(second),
  ],
  [
    'the body is compressed with deflate',
    (first, second) => first === 0x78 && [0x01, 0x5e, 0x9c, 0xda, lostByte].includes(second),
  ],
  ['the body begins with a byte order mark (U+FEFF)', (first) => first === byteOrderMark],
  ['the body is UTF-16', (_first, _second, begin) => begin.includes('\0')],
]

/** What a body that cannot be read is, by the coding that the request names, or by how it begins. */
const otherEncoding = (text: string, coding: string | undefined): string | undefined => {
  const begin = text.slice(0, 4)
  const found = encodings.find(([, begins]) =>
    begins(begin.charCodeAt(0), begin.charCodeAt(1), begin),
  )
  const isCoded = coding !== undefined && !/^(?:identity)?$/i.test(coding.trim())
  const what = isCoded ? `the body is compressed with ${coding.trim().slice(0, 60)}` : found?.[0]
  return (
    what &&
    `${what}, and bodies are read as they are: send plain JSON in UTF-8, without Content-Encoding`
  )
}

export const garbledText =
  'the body is no UTF-8 text, as JSON must be (RFC 8259, 8.1): encode it as UTF-8, and send it without Content-Encoding'

export interface ParsedBody {
  /** As the schema of the operation reads it; undefined for an operation without a body. */
  readonly value: unknown
  /** As it was sent, in the names of the documents; an empty object for none. */
  readonly sent: unknown
}

const noBody: ParsedBody = { value: undefined, sent: {} }

export function parseRequestBody(
  { body: text, bytes, header }: Pick<IncomingRequest, 'body' | 'bytes' | 'header'>,
  { id, request: schema, form }: Pick<Operation, 'id' | 'request' | 'form'>,
  translator?: BodyTranslator,
): Result<ParsedBody, string> {
  if (!schema) return ok(noBody)
  let value: unknown
  const contentType = header('content-type')
  const type = contentType?.toLowerCase()
  const unreadable = (): string | undefined => otherEncoding(text, header('content-encoding'))
  if (form && type?.startsWith('application/x-www-form-urlencoded')) {
    const other = bytes && unreadable()
    if (other !== undefined) return err(other)
    value = Object.fromEntries(new URLSearchParams(text))
  } else if (text !== '') {
    // A missing Content-Type means JSON; another type is rejected (TRN-HDR-02).
    if (type !== undefined && type !== '' && !type.includes('json'))
      return err(`Content-Type is ${contentType?.slice(0, 100)}; send application/json`)
    if (bytes) return err(unreadable() ?? garbledText)
    if (isTooDeep(text)) return err(`the body is nested deeper than ${maxNestingLevels} levels`)
    try {
      value = JSON.parse(text)
    } catch (error) {
      const other = unreadable()
      if (other !== undefined) return err(other)
      return err(`${noJsonText}: ${error instanceof Error ? error.message : 'unreadable'}`)
    }
  }
  const sent = translator?.fromWire(id, 'request', value) ?? value ?? {}
  // With only optional fields the body may be missing; else the schema names the missing field.
  const parsed = schema().safeParse(sent)
  return parsed.success
    ? ok({ value: parsed.data, sent })
    : err(`${invalidBodyText} at ${jsonProblemText(parsed.error, sent)}`)
}
