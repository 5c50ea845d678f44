/** The world's lawful no to a command: data, with a code that the edge maps to a status. Never an exception. */
import type { ErrorCode } from '../protocol/errors.ts'
import { no, type Result } from '../protocol/result.ts'

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  /** The status to answer with, where `conduct` chooses one for this case; else the code's own. */
  readonly status?: number
  /** Fields that one partner's error has besides. */
  readonly more?: Readonly<Record<string, unknown>>
}

export function refuse(code: ErrorCode, message: string, status?: number): Result<never, Refusal> {
  return no({ code, message, ...(status === undefined ? {} : { status }) })
}
