/** What the facts about calls and partners change. */
import { unreachable } from '../../protocol/result.ts'
import type { CallFact, PartnerFact } from '../fact.ts'
import { partnerKey, type World } from '../world.ts'

export function applyCall(world: World, fact: CallFact | PartnerFact): void {
  switch (fact.kind) {
    case 'call.placed':
      world.calls.set(fact.call.id, fact.call)
      world.nextCallId = fact.call.id + 1
      return
    case 'call.concluded':
      world.calls.delete(fact.call.id)
      return
    case 'partner.accepted':
      world.partners.set(partnerKey(fact.from, fact.partner), {
        state: 'accepted',
        manifest: fact.manifest,
      })
      return
    case 'partner.rejected':
      world.partners.set(partnerKey(fact.from, fact.partner), {
        state: 'rejected',
        because: fact.because,
      })
      return
    case 'partner.merchants': {
      const key = partnerKey(fact.from, fact.partner)
      const partner = world.partners.get(key)
      if (partner) world.partners.set(key, { ...partner, merchants: fact.merchants })
      return
    }
    default:
      return unreachable(fact)
  }
}
