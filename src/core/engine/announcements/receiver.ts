/** Whether a host may call the webhook of a receiver, by the receiver's manifest. */
import { operation } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'
import { isManifestRead } from '../calls/manifest-answer.ts'
import { partnerOf, type World } from '../world.ts'
import type { Announcement } from './announcement.ts'

/** `wait` until the receiver's manifest is valid, `call` it, or `never`: the capability is not declared. */
export function webhookReadiness(
  { from, to, operation: id }: Pick<Announcement, 'from' | 'to' | 'operation'>,
  world: World,
): 'wait' | 'call' | 'never' {
  const partner = partnerOf(world, from, to)
  if (partner?.state !== 'accepted') return 'wait'
  const { manifest } = partner
  if (!isManifestRead(manifest)) return 'call'
  return manifest.capabilities[operation(id).capability] ? 'call' : 'never'
}

/** Whether business calls of this capability may go to a partner (DIS-GEN-02). */
export function mayCallPartner(from: Role, to: Role, capability: string, world: World): boolean {
  const partner = partnerOf(world, from, to)
  if (partner?.state !== 'accepted') return false
  const { manifest } = partner
  return !isManifestRead(manifest) || capability in manifest.capabilities
}
