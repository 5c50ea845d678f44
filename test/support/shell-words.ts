/**
 * A line as it is typed: `npx sparring export a.rec.ndjson -o 'b c.har' > log   # ends with 1` is a command of ours with
 * five words, whose output goes into a file, and whose exit code is 1.
 */

export interface OwnCommand {
  readonly argv: readonly string[]
  readonly into?: string | undefined
}

/** The words of a text; quotes keep blanks, and are removed. */
export const shellWords = (text: string): readonly string[] =>
  Array.from(text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g), ([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double = '') => single ?? double),
  )

/** A line without its comment, and the exit code that the comment names. */
export function splitComment(line: string): { readonly command: string; readonly code: number } {
  const [, code = '0'] = / # ends with (\d+)$/.exec(line) ?? []
  return { command: line.replace(/ {2,}# .*$/, ''), code: Number(code) }
}

/** Undefined where it needs a shell, for a pipe or another program. */
export function ownCommand(command: string): OwnCommand | undefined {
  const [, own, into] =
    /^(?:npx )?sparring ((?:'[^']*'|"[^"]*"|[^'"|;&<>$`])+?)(?: > (\S+))?$/.exec(
      command.trim(),
    ) ?? [undefined, undefined]
  return own === undefined ? undefined : { argv: shellWords(own), into }
}

/** The words of a line as it is typed; a value is a word or a part of one, and an array is as many words. */
export function words(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): readonly string[] {
  const marked = texts.reduce((line, text, index) => `${line}\0${index - 1}\0${text}`)
  return shellWords(marked).flatMap((word) => {
    const [, only] = /^\0(\d+)\0$/.exec(word) ?? []
    const value = values[Number(only)]
    if (Array.isArray(value)) return value as readonly string[]
    return [word.replaceAll(/\0(\d+)\0/g, (_, index: string) => String(values[Number(index)]))]
  })
}
