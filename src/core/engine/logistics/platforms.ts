/**
 * The platforms available to a consumer. Number 0 is the default one, whose manifest is tracked as that of any
 * counterpart. Further ones come from the configuration, and each consumer reads their manifests itself: no business
 * call before that (DIS-GEN-02, LOG-CON-02).
 */
import type { ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import { mayCallPartner } from '../announcements/receiver.ts'
import type { OutgoingCall, CallOutcome } from '../calls/call.ts'
import type { AnswerReader } from '../calls/place-call.ts'
import { isManifestRead, manifestFrom, placeholderManifest } from '../calls/manifest-answer.ts'
import type { DecisionContext } from '../decision.ts'
import type { Role } from '../../protocol/role.ts'
import type { Settings } from '../settings.ts'
import { partnerOf, type World } from '../world.ts'
import { type FurtherPlatform, platformKey } from './platform.ts'

/** What a consumer knows of a further platform. */
export const furtherPlatformOf = (
  role: Role,
  platform: number,
  { logistics }: World,
): FurtherPlatform | undefined => logistics.platforms.get(platformKey(role, platform))

/** Manifest requests to a further platform before a shipment proceeds without it. */
export const maxManifestAttempts = 6

/** Whether business calls may go to a platform. */
export function mayCallPlatform(
  role: Role,
  platform: number,
  { world, settings }: DecisionContext,
): boolean {
  if (platform === 0) return mayCallPartner(role, 'delivery-platform', 'logistics', world)
  if (settings.conduct.manifest === 'trust') return true
  const manifest = furtherPlatformOf(role, platform, world)?.manifest
  return (
    manifest !== undefined && (!isManifestRead(manifest) || 'logistics' in manifest.capabilities)
  )
}

/** Whether a platform is accepted or finally rejected: waiting would change nothing. */
export function isPlatformDecided(
  role: Role,
  platform: number,
  { world }: DecisionContext,
): boolean {
  if (platform === 0) return partnerOf(world, role, 'delivery-platform')?.state === 'accepted'
  const known = furtherPlatformOf(role, platform, world)
  return (
    known !== undefined && (known.manifest !== undefined || known.attempt >= maxManifestAttempts)
  )
}

/** The tracking mode that a platform declares; the session's where it declares none. */
export function trackingModeOf(
  role: Role,
  platform: number,
  { world, settings }: DecisionContext,
): 'push' | 'pull' {
  const manifest =
    platform === 0
      ? partnerOf(world, role, 'delivery-platform')?.manifest
      : furtherPlatformOf(role, platform, world)?.manifest
  return manifest?.capabilities['logistics']?.trackingMode ?? settings.trackingMode
}

function judgeManifest(
  outcome: CallOutcome,
  { protocol, conduct }: Settings,
): string | ParsedManifest {
  const read = manifestFrom(outcome, protocol.supportedVersions)
  if (read.ok) return read.value
  const { problem, because } = read.error
  return problem === 'missing' && conduct.manifest === 'when-present'
    ? placeholderManifest
    : because
}

/** Turns the manifest reply of a further platform into a fact. */
export const readPlatformAnswer: AnswerReader = (call: OutgoingCall, outcome, { settings }) => {
  const { from: role, platform = 0, attempt } = call
  const read = judgeManifest(outcome, settings)
  return typeof read === 'string'
    ? [{ kind: 'shipment.platform-rejected', role, platform, because: read, attempt }]
    : [{ kind: 'shipment.platform-accepted', role, platform, manifest: read, attempt }]
}
