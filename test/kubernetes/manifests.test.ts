/**
 * The manifests of examples/kubernetes against the published schemas of Kubernetes (kubernetes-models has them compiled by ajv), and
 * what no schema knows: command lines that can be typed, variables that are flags, references that exist.
 */
import { ConfigMap, PersistentVolumeClaim, Secret } from 'kubernetes-models/v1'
import { Job } from 'kubernetes-models/batch/v1'
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
  type Manifest,
  overlays,
  rendered,
  written,
} from './manifests.ts'

const models = { Job, ConfigMap, PersistentVolumeClaim, Secret }

const isModelled = (kind: string): kind is keyof typeof models => kind in models

/** A value that notes the paths that are read of it. */
function noting(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, name) {
      const inner: unknown = Reflect.get(target, name)
      if (typeof name === 'symbol') return inner
      read.add(`${path}/${name}`)
      return noting(inner, `${path}/${name}`, read)
    },
  })
}

/** The paths that the schema does not read: they are unknown to it. */
const unread = (value: unknown, path: string, read: ReadonlySet<string>): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => {
        const place = `${path}/${name}`
        return read.has(place) ? unread(inner, place, read) : [`${place} is unknown`]
      })

/** Kustomize breaks the lines of Base64, which Kubernetes reads and the format of the schema does not. */
const withoutBreaks = (manifest: Manifest): unknown =>
  manifest.kind === 'Secret'
    ? JSON.parse(
        JSON.stringify(manifest, (_name, value) =>
          typeof value === 'string' ? value.replaceAll('\n', '') : value,
        ),
      )
    : manifest

/** The errors of a manifest by the schema of its kind. The schemas let unknown fields pass, and a cluster would drop them. */
function errorsOf(manifest: Manifest): readonly string[] {
  const { kind } = manifest
  if (!isModelled(kind)) return [`there is no schema of ${kind}`]
  const read = new Set<string>()
  try {
    const { prototype } = models[kind]
    Reflect.apply(
      (prototype as { readonly validate: (this: unknown) => void }).validate,
      noting(withoutBreaks(manifest), '', read),
      [],
    )
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
  return unread(manifest, '', read)
}

/** Without Kustomize only the files of the base are checked. */
const sources: readonly (readonly [name: string, manifests: readonly Manifest[]])[] = [
  ['base as written', written()],
  ...(hasKustomize ? overlays.map((each) => [each, rendered(each)] as const) : []),
]

test.each(sources)(
  '%s: every manifest is valid by the schemas, and has no unknown field',
  (_name, manifests) => {
    expect(manifests.length).toBeGreaterThan(2)
    expect(manifests.flatMap(errorsOf)).toEqual([])
  },
)

test('a wrong type, a missing field and a misspelt one are found', () => {
  const [shards] = jobsIn(written())
  if (!shards) throw new Error('there is no job')
  const changed = (more: object): readonly string[] =>
    errorsOf({ ...shards, apiVersion: 'batch/v1', spec: { ...shards.spec, ...more } })
  expect(changed({})).toEqual([])
  expect(changed({ completions: '8' })).toEqual([expect.stringContaining('must be integer')])
  expect(changed({ backoffLimitPerIndices: 3 })).toEqual([
    '/spec/backoffLimitPerIndices is unknown',
  ])
  expect(changed({ template: undefined })).toEqual([expect.stringContaining('template')])
  const { template } = shards.spec
  const misspelt = template.spec.containers.map((each) => ({ ...each, volumemounts: [] }))
  expect(changed({ template: { spec: { ...template.spec, containers: misspelt } } })).toEqual([
    '/spec/template/spec/containers/0/volumemounts is unknown',
  ])
})

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

test.each(sources)('%s: every command line of Sparring can be typed', async (_name, manifests) => {
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
})

test.each(sources)('%s: containers are locked, and ask for what they need', (_name, manifests) => {
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
})

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
