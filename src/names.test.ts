/**
 * Names: each is exported once in the whole tree, and private words that have a standard term are refused. The terms are in
 * docs/glossary.md.
 */
import { expect, test } from 'vitest'
import { exportedBy, pathOf, productFiles, wingOf, textOf } from '../test/support/source-tree.ts'

/** Names that are exported more than once, each with its reason. */
const exportedTwice: Readonly<Record<string, string>> = {
  refuse: 'a fault is exported under the name that users type; the engine refuses a command',
}

/** Words that no exported name may contain, as words of its camel case, and the term to use. */
const bannedWords: Readonly<Record<string, string>> = {
  arena: 'environment',
  audience: 'subscriptions',
  calm: 'quiescent, outside the fault window',
  deed: 'operator action',
  deeds: 'operator actions',
  docket: 'rule state',
  farewell: 'exit summary',
  given: 'options, input, or what it is',
  hearers: 'subscriptions',
  hopeless: 'abort condition',
  keeper: 'tracker',
  ladder: 'matcher',
  lawful: 'valid, conformant',
  lull: 'idle queue',
  nobody: 'none, or what is absent',
  outlets: 'report writers',
  patience: 'timeout, tolerance',
  purse: 'credentials',
  reach: 'transport',
  rhythm: 'poll interval',
  rung: 'match strategy',
  scrubber: 'timeline',
  sitting: 'batch',
  sittings: 'batches',
  slip: 'diagnostic',
  slips: 'diagnostics',
  somebody: 'who it is: operator, subject, client',
  tape: 'recording',
  told: 'reported, result',
  town: 'population',
  unlawful: 'invalid, nonconformant',
  wash: 'clear',
  weather: 'fault window',
  whoever: 'who it is: operator, subject, client',
  witness: 'observer',
}

/** First words that have a standard form: `mostLines` is `maxLines`. */
const bannedPrefixes: Readonly<Record<string, string>> = {
  least: 'min',
  letters: 'chars',
  most: 'max',
  usual: 'default',
}

/** Names that hold a banned word by right, each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  maxSlipMs: 'slip of a timer: how much later than intended it fired',
}

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]+/)

const exported = productFiles.flatMap((file) =>
  exportedBy(file).map((name) => ({ name, file: pathOf(file), wing: wingOf(file) })),
)

test('a name is exported once, but for the listed exceptions', () => {
  const files = new Map<string, string[]>()
  // The demo is a service of its own: it shares no code with the product, and speaks of the same protocol.
  for (const { name, file, wing } of exported)
    if (wing !== 'demo') files.set(name, [...(files.get(name) ?? []), file])
  expect(files.size).toBeGreaterThan(3000)
  const twice = [...files].filter(([, where]) => where.length > 1).map(([name]) => name)
  expect(twice.toSorted()).toEqual(Object.keys(exportedTwice).toSorted())
})

test('no exported name has a private word where the field has a term', () => {
  const wrong = exported.flatMap(({ name, file }) => {
    const words = wordsOf(name)
    const word = words.find((each) => Object.hasOwn(bannedWords, each))
    const first = words[0] ?? ''
    const term = word === undefined ? words.length > 1 && bannedPrefixes[first] : bannedWords[word]
    return term && !(name in allowed) ? [`${file}: ${name}: say ${term}`] : []
  })
  expect(wrong).toEqual([])
})

/** Words that no local, parameter, member or comment may have, beside those of exported names, and what to say. */
const bannedInside: Readonly<Record<string, string>> = {
  fate: 'outcome',
  given: 'options, input, or what it is',
  keeper: 'cache, tracker, lock',
  seen: 'observed, visited, known',
  sighting: 'observation',
  sightings: 'observations',
  told: 'reported, announced',
  way: 'direction, mode, history',
  wish: 'request, option, action',
  wishes: 'requests, options, actions',
}

/** Plain English in a comment, such as `in the same way`. */
const plainInComments = new Set(['audience', 'calm', 'keeper', 'rhythm', 'slip', 'way'])

/** Members of stored or printed records, which keep their names, and where: facts, worlds, journals, reports. */
const storedNames: Readonly<Record<string, readonly string[]>> = {
  fate: ['core/engine', 'core/partners'],
  // The text of a script, and the name of a fact.
  given: ['replay/from-recording/scenario-script.ts', 'terminal/cli/log-lines.ts'],
  seen: ['core/engine', 'core/partners', 'explore', 'certify/report/html.ts'],
  seenEvents: ['core', 'replay'],
  told: ['core/engine'],
  way: ['core/engine', 'core/views', 'core/session', 'core/session-api', 'terminal', 'sparring'],
  wish: ['core', 'terminal', 'sparring'],
  wishes: ['certify/cli'],
}

/** Names inside that stay, each with its reason. */
const allowedInside: Readonly<Record<string, string>> = {
  maxSlipMs: 'slip of a timer: how much later than intended it fired',
  slip: 'slip of a timer',
  slipMs: 'slip of a timer',
  SPARRING_WISH: 'a variable that set-up scripts read',
  tape: 'the context of keys of a recording, which the help prints',
  underWay: 'work that has begun and not ended',
}

/** Comments of a file, and its code without comments and texts; both with their lines kept. */
function commentsAndCode(text: string): readonly [comments: string, code: string] {
  const blank = (part: string): string => part.replaceAll(/[^\n]/g, ' ')
  // Template literals are texts and scripts; names inside their `${}` are not looked at.
  const token =
    /\/\*[^]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g
  const isComment = (part: string): boolean => part.startsWith('/*') || part.startsWith('//')
  const code = text.replaceAll(token, blank)
  let at = 0
  let comments = ''
  for (const { 0: part, index } of text.matchAll(token)) {
    comments += blank(text.slice(at, index)) + (isComment(part) ? part : blank(part))
    at = index + part.length
  }
  return [comments, code]
}

test('no name inside and no comment has a private word where the field has a term', () => {
  const terms = { ...bannedWords, ...bannedInside }
  const word = new RegExp(String.raw`\b(?:${Object.keys(terms).join('|')})\b`, 'gi')
  let names = 0
  const wrong = productFiles.flatMap((file) => {
    const [comments, code] = commentsAndCode(textOf(file))
    const isStored = (name: string): boolean =>
      storedNames[name]?.some((folder) => `${pathOf(file)}/`.startsWith(`${folder}/`)) ?? false
    const found: [index: number, name: string, word: string][] = []
    for (const { 0: name, index } of code.matchAll(/[A-Za-z_$][\w$]*/g)) {
      names++
      const banned = wordsOf(name).find((each) => Object.hasOwn(terms, each))
      if (banned !== undefined && !(name in allowedInside) && !isStored(name))
        found.push([index, name, banned])
    }
    for (const { 0: name, index } of comments.matchAll(word))
      if (!plainInComments.has(name.toLowerCase())) found.push([index, name, name.toLowerCase()])
    return found.map(
      ([index, name, banned]) =>
        `${pathOf(file)}:${code.slice(0, index).split('\n').length}: ${name}: say ${terms[banned] ?? ''}`,
    )
  })
  expect(names).toBeGreaterThan(100_000)
  expect(wrong).toEqual([])
})

/** Words and phrases that no text for users may have, and what to say. */
const bannedTexts: Readonly<Record<string, string>> = {
  'broken off': 'truncated, stopped',
  'by force': 'forced',
  'calm weather': 'when no faults are active',
  'came to nothing': 'had no effect',
  'clock stands': 'the clock is paused',
  'comes to nothing': 'has no effect',
  'in force': 'active',
  lawful: 'valid, conformant',
  mailbox: 'queue of events for polling',
  nobody: 'what is absent',
  'not put to the test': 'not exercised',
  'out of force': 'disabled',
  somebody: 'who it is: the operator, a user, your service',
  unlawful: 'invalid, nonconformant',
  untested: 'not exercised',
  whoever: 'who it is: the operator, a user, your service',
}

/** The texts of a file: string and template literals with a blank in them, with the line that each begins in. */
function textsOf(file: string): readonly (readonly [line: number, text: string])[] {
  const code = textOf(file).replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, (comment) =>
    comment.replaceAll(/[^\n]/g, ''),
  )
  return Array.from(
    code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g),
    ({ 0: text, index }) => [code.slice(0, index).split('\n').length, text] as const,
  ).filter(([, text]) => text.includes(' '))
}

test('no text for users has a private word where the field has a term', () => {
  const phrase = new RegExp(String.raw`\b(?:${Object.keys(bannedTexts).join('|')})\b`, 'i')
  const texts = productFiles.flatMap((file) =>
    textsOf(file).map(([line, text]) => [`${pathOf(file)}:${line}`, text] as const),
  )
  expect(texts.length).toBeGreaterThan(3000)
  const wrong = texts.flatMap(([where, text]) => {
    const found = phrase.exec(text)?.[0].toLowerCase()
    return found === undefined ? [] : [`${where}: ${found}: say ${bannedTexts[found] ?? ''}`]
  })
  expect(wrong).toEqual([])
})

test('nothing is exported under another name than its own', () => {
  const renamed = productFiles.flatMap((file) =>
    Array.from(textOf(file).matchAll(/^export (?:type )?\{([^}]*)\}/gm), ([, names = '']) => names)
      .filter((names) => /\bas\b/.test(names))
      .map((names) => `${pathOf(file)}: ${names.trim()}`),
  )
  expect(renamed).toEqual([])
})
