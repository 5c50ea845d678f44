/**
 * Where each script of package.json is run, so that none rots: by a test of every run, by the nightly, or by what is
 * named.
 */
export type ScriptPlace =
  | {
      readonly runBy: 'every run' | 'nightly'
      readonly args?: readonly string[]
      /** Its output. */
      readonly prints: RegExp
    }
  | { readonly runBy: 'another'; readonly which: string }

/** Replaced by the folder of the built program that tests start. */
export const builtFolder = '<built>'

const another = (which: string): ScriptPlace => ({ runBy: 'another', which })

export const scriptPlaces: Readonly<Record<string, ScriptPlace>> = {
  // Fast enough for every run, some of them with less to do.
  dev: { runBy: 'every run', args: ['--version'], prints: /^\d+\.\d+\.\d+/ },
  bench: {
    runBy: 'every run',
    args: ['--quick', '--root', builtFolder, 'help'],
    prints: /^help /m,
  },
  'key-press': {
    runBy: 'every run',
    prints: /^x in the agenda: .* 1 fact; at most 400 calls: ok$/m,
  },
  mutation: {
    runBy: 'every run',
    args: ['--list', '--count', '2', '--room', 'src/core/engine/agenda'],
    prints: /^src\/core\/engine\/agenda\/.*\n- /m,
  },
  scenarios: {
    runBy: 'every run',
    args: ['scenarios/a-forged-webhook.yaml'],
    prints: /^\d+ mistakes?, \d+ caught by name$/m,
  },

  // Minutes, or files that they write anew.
  docs: { runBy: 'nightly', prints: /^/ },
  'openapi-examples': { runBy: 'nightly', prints: /^/ },
  recordings: { runBy: 'nightly', prints: /^/ },
  'foreign-recordings': { runBy: 'nightly', prints: /^/ },
  golden: { runBy: 'nightly', prints: /passed, 0 failed/ },
  'first-minute': { runBy: 'nightly', prints: /^/ },
  cases: { runBy: 'nightly', prints: /^\d+ cases, 0 failed$/m },
  picture: { runBy: 'nightly', prints: /^bench\/replay\.svg: \d+ frames/m },

  start: another('a person: the verb up in the built program, which many tests start'),
  prestart: another('prepare, which is the same'),
  prebench: another('prepare, which is the same'),
  prepare: another('npm ci'),
  build: another('prepare'),
  check: another('npm test'),
  'format:check': another('check'),
  lint: another('check'),
  typecheck: another('check'),
  knip: another('check'),
  format: another('a person: what format:check asks for'),
  test: another('a person: test:all but for the slow ones'),
  'test:all': another('.ci/run'),
  nightly: another('a person or a schedule, every night'),
  release: another('test/nightly/release.test.ts'),
  soak: another('a person or a schedule, before a release'),
}
