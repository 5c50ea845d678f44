/** What the repository's own scenarios catch: each mistake that one names breaks the invariant that it names. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadScenarios } from '../cli/run/files.ts'
import { notCaught, proofsOf } from './proof.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const loaded = await loadScenarios(['scenarios/**/*.yaml'], root)
const proofs = proofsOf(loaded).map(
  (proof) => [proof.name, proof.defect, proof.breaks, proof] as const,
)

test.each(proofs)('%s: %s breaks %s', async (_name, _defect, _breaks, proof) => {
  expect(await notCaught(proof)).toBeUndefined()
})
