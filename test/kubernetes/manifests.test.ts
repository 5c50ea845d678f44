/**
 * The manifests of examples/kubernetes: command lines that can be typed, variables that are flags, references that exist.
 * `test/nightly` holds them against the schemas of Kubernetes.
 */
import { expect, test } from 'vitest'
import { flagEnvironmentName } from '../../src/sparring/verbs/support/flag-value.ts'
import { runProgram } from '../../src/sparring/verbs/support/program.ts'
import type { Verb } from '../../src/terminal/cli/verb.ts'
import { verbs } from '../../src/sparring/verbs/catalogue.ts'
import { createTestIo } from '../support/test-io.ts'
import {
  argumentsOf,
  campaignVariables,
  hasKustomize,
  jobsIn,
  overlays,
  manifestSources,
  rendered,
} from './manifests.ts'

/** The verbs with their flags, and without what they do. */
const inert = (verb: Verb): Verb => ({
  ...verb,
  verbs: verb.verbs.map(inert),
  run: () => Promise.resolve(0),
})

const withInner = (verb: Verb): readonly Verb[] => [verb, ...verb.verbs.flatMap(withInner)]
const variables = new Set(
  verbs.flatMap(withInner).flatMap(({ flags }) => flags.map(flagEnvironmentName)),
)

test.each(manifestSources)(
  '%s: every command line of Sparring can be typed',
  async (_name, manifests) => {
    const containers = jobsIn(manifests).flatMap(({ spec }) => [
      ...spec.template.spec.initContainers,
      ...spec.template.spec.containers,
    ])
    const own = containers.filter(({ command }) => command[0] === 'sparring')
    expect(own.length).toBeGreaterThan(1)
    for (const { args } of own) {
      const { io, written: output } = createTestIo()
      const program = { name: 'sparring', summary: '', version: '1', verbs: verbs.map(inert) }
      expect({ code: await runProgram(program, args, io), ...output() }).toMatchObject({
        code: 0,
        stderr: '',
      })
    }
  },
)

test.each(manifestSources)(
  '%s: containers are locked, and ask for what they need',
  (_name, manifests) => {
    for (const { spec } of jobsIn(manifests)) {
      expect(spec.template.spec).toMatchObject({
        restartPolicy: 'Never',
        securityContext: { runAsNonRoot: true },
      })
      for (const each of [...spec.template.spec.initContainers, ...spec.template.spec.containers]) {
        expect(each.securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
        })
        expect(Object.keys(each.resources.requests).sort()).toEqual(['cpu', 'memory'])
        expect(Object.keys(each.resources.limits)).toEqual(['memory'])
      }
    }
  },
)

// The rest needs Kustomize, which not every machine has.
test.runIf(hasKustomize).each(overlays)(
  '%s: as many indices as shards, variables that are flags, references that exist',
  (overlay) => {
    const manifests = rendered(overlay)
    const settings = campaignVariables(manifests)
    expect(Object.keys(settings).filter((name) => !variables.has(name))).toEqual([])
    const [shards] = jobsIn(manifests).filter(({ metadata }) => metadata.name === 'sparring-shards')
    const count = Number(settings['SPARRING_SHARDS'])
    expect(shards?.spec).toMatchObject({
      completionMode: 'Indexed',
      completions: count,
      parallelism: count,
      podReplacementPolicy: 'Failed',
      backoffLimitPerIndex: expect.any(Number),
    })
    const names = new Set(manifests.map(({ metadata }) => metadata.name))
    const text = JSON.stringify(jobsIn(manifests))
    const references = Array.from(
      text.matchAll(
        /"(?:configMap|configMapRef)":\{"name":"([^"]*)"|"secretName":"([^"]*)"|"claimName":"([^"]*)"/g,
      ),
      ([, map, secret, claim]) => map ?? secret ?? claim ?? '',
    )
    expect(references.length).toBeGreaterThan(2)
    expect(references.filter((name) => !names.has(name))).toEqual([])
    for (const { spec } of jobsIn(manifests)) {
      const mounted = JSON.stringify(spec.template.spec.containers)
      for (const { name } of spec.template.spec.volumes)
        expect(mounted).toContain(`"name":"${name}"`)
    }
  },
)

test.runIf(hasKustomize)('the bucket has no volume, and what is uploaded is what is merged', () => {
  const manifests = rendered('overlays/bucket')
  expect(manifests.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim')
  expect(argumentsOf(manifests, 'sparring-shards')).toContain('--upload=@/urls/put.txt')
  expect(argumentsOf(manifests, 'sparring-merge')).toContain('@/urls/get.txt')
})
