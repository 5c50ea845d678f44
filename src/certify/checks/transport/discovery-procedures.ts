/** Procedures of discovery: manifests and merchants of both sides, and a service that begins anew. */
import { roles } from '../../../core/protocol/role.ts'
import { defineProcedure } from '../../judge/procedure.ts'
import { firstCaller } from './callers.ts'

/** How long the service may take until it has read our manifests and its merchants. */
const acquaintanceMs = 5000

export const introduction = defineProcedure({
  name: 'introduction',
  about:
    'reads the manifest as a client and as a browser, and the merchants; the service reads ours',
  roles,
  async run(context) {
    const as = firstCaller(context.role)
    const manifest = { as, operation: 'getManifest' } as const
    const merchants = { as, operation: 'listMerchants' } as const
    await context.call('read', manifest)
    await context.call('read-again', manifest)
    await context.call('read-from-browser', {
      ...manifest,
      headers: { origin: 'https://console.example' },
    })
    await context.call('merchants', merchants)
    await context.call('merchants-again', merchants)
    await context.call('merchants-without-token', { ...merchants, token: 'none' })
    await context.until(
      () =>
        context.observed().some(({ isCall, operation }) => isCall && operation === 'listMerchants'),
      { within: acquaintanceMs },
    )
  },
})
