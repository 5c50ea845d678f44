/** Checks of what the manifest of a client of Orders says: ORD-GEN-08, ORD-EVR-08. */
import { parseManifest } from '../../../core/protocol/discovery/parse-manifest.ts'
import { defineChecks } from '../../judge/check.ts'
import { answersOf, each, successful } from '../../judge/assertion.ts'

export const orderManifestChecks = defineChecks(
  { roles: ['software-service', 'delivery-platform', 'crm'], procedures: ['client-manifest'] },
  {
    'ORD-GEN-08': {
      assertion: each(successful(answersOf('getManifest')), ({ reply }) => {
        const manifest = parseManifest(reply)
        return manifest.ok &&
          Object.hasOwn(manifest.value.capabilities, 'indoor') &&
          !Object.hasOwn(manifest.value.capabilities, 'orders')
          ? 'its manifest declares indoor without orders'
          : undefined
      }),
      remedy: 'Declare orders wherever you declare indoor.',
    },
    'ORD-EVR-08': {
      roles: ['software-service'],
      assertion: each(successful(answersOf('getManifest')), ({ exchange }) =>
        exchange.reply?.body?.includes('"PICKED_UP"')
          ? 'its manifest names PICKED_UP, which is removed'
          : undefined,
      ),
      remedy: 'Take PICKED_UP out of the manifest.',
    },
  },
)
