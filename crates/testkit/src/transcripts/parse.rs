//! Transcripts as text: reading and writing them.

use std::fmt::Write;

/// A parsed `*.transcript`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transcript {
    /// The text before the first command.
    preamble: Vec<String>,
    pub(super) blocks: Vec<Block>,
}

/// A command and its output.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The number of the line with the command, for reports.
    pub(super) line: usize,
    comment: Vec<String>,
    command: Vec<String>,
    pub(super) output: Vec<String>,
    /// Whether a blank line follows.
    spaced: bool,
}

impl PartialEq for Block {
    /// Where a block stands says nothing about what it is.
    fn eq(&self, other: &Self) -> bool {
        let parts = |block: &Self| (block.comment.clone(), block.command.clone(), block.output.clone(), block.spaced);
        parts(self) == parts(other)
    }
}

impl Block {
    /// The script for the shell.
    pub(super) fn command(&self) -> String {
        self.command.join("\n")
    }

    /// The command as the transcript shows it.
    pub(super) fn prompt(&self) -> String {
        let marks = std::iter::once("$").chain(std::iter::repeat(">"));
        let lines = marks.zip(&self.command).map(|(mark, line)| format!("{mark} {line}"));
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Transcript {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        let starts: Vec<_> = (0..lines.len()).filter(|&at| lines[at].starts_with("$ ")).collect();
        let Some(&first) = starts.first() else {
            return Err("there is no command: a line that starts with `$ `".to_owned());
        };

        let mut blocks = Vec::with_capacity(starts.len());
        let mut comment = Vec::new();
        for (index, &start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(lines.len());
            let is_continued = |line: &&String| line.starts_with("> ");
            let body = start + 1 + lines[start + 1..end].iter().take_while(is_continued).count();

            let mut output = lines[body..end].to_vec();
            let next_comment = if end < lines.len() { split_comment(&mut output) } else { Vec::new() };
            let spaced = output.pop_if(|line| line.is_empty()).is_some();
            let command = lines[start..body].iter().map(|line| line[2..].to_owned()).collect();
            blocks.push(Block { line: start + 1, comment, command, output, spaced });
            comment = next_comment;
        }
        Ok(Self { preamble: lines[..first].to_vec(), blocks })
    }

    /// The text that parses to this transcript. An error when there is none, because an output looks like a command.
    pub(super) fn render(&self) -> Result<String, String> {
        let mut text = lines(&self.preamble);
        for block in &self.blocks {
            let blank = if block.spaced { "\n" } else { "" };
            let _ = write!(text, "{}{}\n{}{blank}", lines(&block.comment), block.prompt(), lines(&block.output));
        }
        if Self::parse(&text).as_ref() != Ok(self) {
            return Err("an output looks like a part of the transcript; pipe it through `sed 's/^/| /'`".to_owned());
        }
        Ok(text)
    }
}

/// Take the comment of the next command from the end of `output`: `#` lines after a blank one.
fn split_comment(output: &mut Vec<String>) -> Vec<String> {
    let length = output.iter().rev().take_while(|line| line.starts_with('#')).count();
    let at = output.len() - length;
    if at > 0 && output[at - 1].is_empty() { output.split_off(at) } else { Vec::new() }
}

fn lines(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
About this file.

# First
$ one
output
# no comment: no blank line before it
$ two
> and more

# Third,
# explained
$ three

last
";

    #[test]
    fn parts_are_told_apart() {
        let Transcript { preamble, blocks } = Transcript::parse(TEXT).unwrap();
        assert_eq!(preamble, ["About this file.", "", "# First"]);
        assert_eq!(blocks[0].output, ["output", "# no comment: no blank line before it"]);
        assert_eq!(blocks[1].command(), "two\nand more");
        assert_eq!(blocks[1].output, [""; 0]);
        assert_eq!(blocks[2].comment, ["# Third,", "# explained"]);
        assert_eq!(blocks[2].output, ["", "last"]);
        assert_eq!(blocks[2].line, 12);
    }

    #[test]
    fn rendering_gives_the_text_back() {
        assert_eq!(Transcript::parse(TEXT).unwrap().render().unwrap(), TEXT);
    }

    #[test]
    fn a_file_without_a_command_is_a_mistake() {
        assert!(Transcript::parse("wirewise --help\n").is_err());
    }

    #[test]
    fn an_output_that_looks_like_a_command_is_refused() {
        let mut transcript = Transcript::parse("$ one\n").unwrap();
        transcript.blocks[0].output.push("$ two".to_owned());
        assert!(transcript.render().is_err());
    }
}
