/**
 * A refusal: the world's regular no to a command, as data with a code that the edge maps to a status. Never an
 * exception.
 */
import { compact } from '../base/compact.ts'
import type { ErrorCode } from '../protocol/errors.ts'
import type { UnmetRequirement } from '../protocol/partner-requirements/catalogue.ts'
import { err, type Result } from '../protocol/result.ts'

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  /** The HTTP status, where `conduct` chooses one for this case; else the one of the code. */
  readonly status?: number
  /** Additional fields of a partner-specific error body. */
  readonly more?: Readonly<Record<string, unknown>>
  /** What every partner requires and the request does not meet, where it is refused for that. */
  readonly unmet?: readonly UnmetRequirement[]
}

export function refuse(code: ErrorCode, message: string, status?: number): Result<never, Refusal> {
  return err({ code, message, ...compact({ status }) })
}
