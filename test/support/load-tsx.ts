/** Loads `.tsx` files in the workers of Vitest, which let Node import all other sources as they are. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

registerHooks({
  load(url, context, next) {
    const [location = ''] = url.split('?')
    if (!location.endsWith('.tsx')) return next(url, context)
    const file = fileURLToPath(location)
    const { code } = transformSync(file, readFileSync(file, 'utf8'))
    return { format: 'module', shortCircuit: true, source: code }
  },
})
