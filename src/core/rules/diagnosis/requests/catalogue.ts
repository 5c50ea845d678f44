/** All mistakes of a request that one of our hosts refused, the most specific of each subject first. */
import { boundedLine } from '../../../traffic/stated-reason.ts'
import { diagnose, type Mistake } from '../mistake.ts'
import { authorizationMistakes } from './authorization.ts'
import { bodyAndIdMistakes } from './bodies-and-ids.ts'
import type { RefusedRequest } from './refused-request.ts'
import { tokenRequestMistakes } from './token-request.ts'
import { unknownPathMistakes } from './unknown-path.ts'

const mistakes: readonly Mistake<RefusedRequest>[] = [
  ...tokenRequestMistakes,
  ...authorizationMistakes,
  ...bodyAndIdMistakes,
]

/** Why a request was refused, and what to do: what its refusal says where no mistake is recognised. */
export function refusedRequestReason(request: RefusedRequest): string {
  const known = request.row ? diagnose(mistakes, request) : diagnose(unknownPathMistakes, request)
  return boundedLine(known ?? request.refusal.message)
}
