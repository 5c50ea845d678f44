/**
 * Reads the answer to a manifest request: the manifest, or why it is of no use. A counterpart without one can be taken to
 * serve the standard paths of its role, with a placeholder in the manifest's place.
 */
import { isManifestLike } from '../../protocol/discovery/manifest.ts'
import { parseManifest, type ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { commonVersion } from '../../protocol/version.ts'
import { type CallOutcome, isSuccess } from './call.ts'
import type { ManifestProblem } from '../world.ts'

/** Of a counterpart whose manifest was not read: it has no versions, a valid one has at least one (DIS-FLD-10). */
export const placeholderManifest: ParsedManifest = {
  participantId: 'trusted',
  version: '',
  versions: [],
  grantTypes: [],
  credentialModels: [],
  capabilities: {},
}

/** Whether it was read, and is no placeholder. */
export const isManifestRead = (manifest: ParsedManifest | undefined): manifest is ParsedManifest =>
  manifest !== undefined && manifest.versions.length > 0

export interface UselessManifest {
  readonly problem: ManifestProblem
  readonly because: string
}

const useless = (problem: ManifestProblem, because: string): Result<never, UselessManifest> =>
  err({ problem, because })

/** Statuses that say nothing about whether there is a manifest: it is asked for again later. */
const isTemporary = (status: number): boolean => status === 429 || (status >= 500 && status !== 501)

/**
 * The manifest in an answer. It is missing where anything else was answered; what has a manifest's fields, is broken JSON
 * or a redirect (DIS-WKN-05) is one that is wrong.
 */
export function manifestFrom(
  outcome: CallOutcome,
  ourVersions: readonly string[],
): Result<ParsedManifest, UselessManifest> {
  if (outcome.kind === 'failed') return useless('unreachable', outcome.message)
  const { status, body, malformed } = outcome
  if (status >= 300 && status < 400)
    return useless('invalid', `it is a redirect (${status}), which discovery forbids`)
  if (!isSuccess(outcome))
    return useless(isTemporary(status) ? 'unreadable' : 'missing', `GET answers ${status}`)
  if (malformed !== undefined) return useless('invalid', `it is no JSON: ${malformed}`)
  if (!isManifestLike(body))
    return useless('missing', `GET answers ${status}, but not with a manifest`)
  const read = parseManifest(body)
  if (!read.ok) return useless('invalid', read.error)
  const { versions } = read.value
  return commonVersion(ourVersions, versions) === undefined
    ? useless(
        'invalid',
        `no common version: we speak ${ourVersions.join(', ')}, it speaks ${versions.join(', ')}`,
      )
    : ok(read.value)
}
