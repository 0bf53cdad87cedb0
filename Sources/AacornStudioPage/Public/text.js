// Safe display of untrusted text.

// Invisible characters, and characters that change the writing direction, can make one name look like another.
// Variation selectors are not included, since they change the appearance. Joiners between emoji are not
// included either, since they combine two emoji.
const picture = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`
const joiner = String.raw`(?<=${picture}\p{Variation_Selector}*)\u200d(?=${picture})`
const deceptive = new RegExp(
  String.raw`(?!\p{Variation_Selector}|${joiner})\p{Default_Ignorable_Code_Point}`, 'gu')

/** Escapes invisible characters in the form that the command uses: `\x202e`. */
export function visible(text) {
  return text.replace(deceptive, letter => `\\x${letter.codePointAt(0).toString(16)}`)
}

/** Returns the text without invisible characters. */
export function withoutUnseen(text) {
  return text.replace(deceptive, '')
}
