/** The manifests of examples/kubernetes as Kustomize renders them, and as they are written. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

const folder = fileURLToPath(new URL('../../examples/kubernetes', import.meta.url))

export const overlays = ['base', ...globSync('overlays/*', { cwd: folder }).toSorted()]

/** Whether Kustomize is on this machine. */
export const hasKustomize = spawnSync('kubectl', ['kustomize', '--help']).status === 0

const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})
export type Manifest = z.infer<typeof Manifest>

const manifestsIn = (text: string): readonly Manifest[] =>
  parseAllDocuments(text, { merge: true }).map((document) => Manifest.parse(document.toJS()))

export function rendered(overlay: string): readonly Manifest[] {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', overlay], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return manifestsIn(stdout)
}

/** Without Kustomize: the files of the base. */
export const written = (): readonly Manifest[] =>
  ['results', 'shards', 'merge'].flatMap((name) =>
    manifestsIn(readFileSync(`${folder}/base/${name}.yaml`, 'utf8')),
  )

/** Without Kustomize only the files of the base are checked. */
export const manifestSources: readonly (readonly [name: string, manifests: readonly Manifest[]])[] =
  [
    ['base as written', written()],
    ...(hasKustomize ? overlays.map((each) => [each, rendered(each)] as const) : []),
  ]

const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).default([]),
  args: z.array(z.string()).default([]),
  env: z.array(z.looseObject({ name: z.string() })).default([]),
  securityContext: z.looseObject({}),
  resources: z.looseObject({ requests: z.looseObject({}), limits: z.looseObject({}) }),
})

const Job = z.looseObject({
  kind: z.literal('Job'),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    completions: z.number().optional(),
    parallelism: z.number().optional(),
    template: z.looseObject({
      spec: z.looseObject({
        restartPolicy: z.string(),
        initContainers: z.array(Container).default([]),
        containers: z.array(Container),
        volumes: z.array(z.looseObject({ name: z.string() })),
      }),
    }),
  }),
})

export const jobsIn = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Job').map((each) => Job.parse(each))

const ConfigMap = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  data: z.record(z.string(), z.string()),
})

/** The variables that all shards have in common. */
export function campaignVariables(
  manifests: readonly Manifest[],
): Readonly<Record<string, string>> {
  const found = manifests.find(({ metadata }) => metadata.name.startsWith('sparring-campaign'))
  return ConfigMap.parse(found).data
}

/** The arguments of the container of Sparring in a Job. */
export function argumentsOf(manifests: readonly Manifest[], job: string): readonly string[] {
  const found = jobsIn(manifests).find(({ metadata }) => metadata.name === job)
  return found?.spec.template.spec.containers[0]?.args ?? []
}
