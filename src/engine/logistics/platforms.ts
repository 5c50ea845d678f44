/**
 * The platforms available to a consumer. Number 0 is the default one, whose manifest is tracked as that of any
 * counterpart. Further ones come from the configuration, and each consumer reads their manifests itself: no business
 * call before that (DIS-GEN-02, LOG-CON-02).
 */
import { readManifest, type ReadManifest } from '../../protocol/discovery/read.ts'
import { commonVersion } from '../../protocol/version.ts'
import { mayCall } from '../announcements/receiver.ts'
import { type Call, type CallOutcome, outcomeText, succeeded } from '../calls/call.ts'
import type { AnswerReader } from '../calls/place-call.ts'
import type { Context } from '../decision.ts'
import type { Role } from '../../protocol/role.ts'
import { partnerOf, type World } from '../world.ts'
import type { Platform } from './platform.ts'

export const platformKey = (role: Role, platform: number): string => `${role}#${platform}`

/** What a consumer knows of a further platform. */
export const platformOf = (
  role: Role,
  platform: number,
  { logistics }: World,
): Platform | undefined => logistics.platforms.get(platformKey(role, platform))

/** Manifest requests to a further platform before a shipment proceeds without it. */
export const mostManifestTries = 6

/** Whether business calls may go to a platform. */
export function mayAsk(role: Role, platform: number, { world, settings }: Context): boolean {
  if (platform === 0) return mayCall(role, 'delivery-platform', 'logistics', world)
  if (settings.conduct.manifest === 'trust') return true
  return platformOf(role, platform, world)?.manifest?.capabilities['logistics'] !== undefined
}

/** Whether a platform is accepted or finally rejected: waiting would change nothing. */
export function isJudged(role: Role, platform: number, { world }: Context): boolean {
  if (platform === 0) return partnerOf(world, role, 'delivery-platform')?.state === 'accepted'
  const known = platformOf(role, platform, world)
  return known !== undefined && (known.manifest !== undefined || known.attempt >= mostManifestTries)
}

/** The tracking mode that a platform declares; the session's where it declares none. */
export function trackingModeOf(
  role: Role,
  platform: number,
  { world, settings }: Context,
): 'push' | 'pull' {
  const manifest =
    platform === 0
      ? partnerOf(world, role, 'delivery-platform')?.manifest
      : platformOf(role, platform, world)?.manifest
  return manifest?.capabilities['logistics']?.trackingMode ?? settings.trackingMode
}

function judgeManifest(
  outcome: CallOutcome,
  ourVersions: readonly string[],
): string | ReadManifest {
  if (outcome.kind === 'failed') return outcome.message
  if (!succeeded(outcome)) return `answered ${outcomeText(outcome)}`
  const read = readManifest(outcome.body)
  if (!read.ok) return read.error
  return commonVersion(ourVersions, read.value.versions) !== undefined
    ? read.value
    : `no common version: it speaks ${read.value.versions.join(', ')}`
}

/** Turns the manifest reply of a further platform into a fact. */
export const readPlatformAnswer: AnswerReader = (call: Call, outcome, { settings }) => {
  const { from: role, platform = 0, attempt } = call
  const read = judgeManifest(outcome, settings.protocol.supportedVersions)
  return typeof read === 'string'
    ? [{ kind: 'shipment.platform-rejected', role, platform, because: read, attempt }]
    : [{ kind: 'shipment.platform-accepted', role, platform, manifest: read, attempt }]
}
