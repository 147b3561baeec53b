type Clipboard = {
  readonly forms: Readonly<Record<string, string>>;
  /** The Markdown that the editor makes from the clipboard. */
  readonly markdown: string;
  /** The editor's notices about parts of the clipboard that were left out. */
  readonly says: readonly (string | RegExp)[];
};

const word = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal, li.MsoNormal {margin:0cm; font-size:12.0pt;} @list l0:level1 {mso-level-number-format:bullet;} --></style>
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings/></xml><![endif]--></head>
<body lang=EN-US style='tab-interval:36.0pt'><!--StartFragment-->
<h1 style='margin-top:12pt'><span lang=EN-US>Sales of the quarter<o:p></o:p></span></h1>
<p class=MsoNormal><span lang=EN-US style='color:#C00000'>Sales <b>rose</b> by <i style='mso-bidi-font-style:normal'>9&nbsp;%</i>, says the
<a href="https://example.com/10q?utm_source=word&amp;id=7">filing</a>.<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>Cloud</p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o<span>&nbsp; </span></span>Europe</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp; </span></span>Devices</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span>Read it</p>
<p class=MsoHeading3>Details</p>
<table class=MsoTableGrid border=1 style='border-collapse:collapse'><tr><td width=200 style='width:150pt'><p class=MsoNormal><b>Quarter<o:p></o:p></b></p></td><td><p class=MsoNormal>Sales</p></td></tr>
<tr><td><p class=MsoNormal>First</p></td><td><p class=MsoNormal align=right>8.0 | 9</p></td></tr></table>
<p class=MsoNormal><!--[if gte vml 1]><v:shape><v:imagedata src="file:///C:/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img width=100 src="file:///C:/clip_image002.png"><![endif]></p>
<!--EndFragment--></body></html>`;

const google = `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1f"><h2 dir="ltr" style="line-height:1.38;margin-top:18pt;"><span style="font-size:16pt;font-family:Arial;font-weight:400;">Why it rose</span></h2><p dir="ltr" style="line-height:1.38;"><span style="font-weight:400;white-space:pre-wrap;">Sales </span><span style="font-weight:700;white-space:pre-wrap;">rose</span><span style="font-style:italic;font-weight:400;"> a lot</span><span style="font-weight:400;">, says the </span><a href="https://www.google.com/url?q=https://example.com/a?gclid%3D1&amp;sa=D" style="text-decoration:none;"><span style="text-decoration:underline;">note</span></a><span style="font-weight:400;text-decoration:line-through;">wrong</span><span>.</span></p><br /><ol style="margin-top:0;" start="3"><li dir="ltr" style="list-style-type:decimal;" aria-level="1"><p dir="ltr" role="presentation"><span>Cloud</span></p></li><ol><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span>Europe</span></p></li></ol><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Devices</span></p></li></ol><p dir="ltr"><span><img src="https://lh7-rt.googleusercontent.com/docsz/x" width="300" height="200" /></span></p></b><br class="Apple-interchange-newline">`;

const page = `<html><body><!--StartFragment--><style>.x{color:red}</style><script>alert(1)</script><article style="color: rgb(0, 0, 0); background: url(https://evil.example/p.png)" onclick="alert(2)"><h1>Big title</h1><p>It says 5 * 3 &lt; a_b &amp; more.<br>Second line <code>x = 1</code>.</p><blockquote><p>A <strong>bold</strong> claim.</p></blockquote><hr><ul><li>One <ul><li>Inner</li></ul></li><li><p>Two</p></li></ul><p><a href="javascript:alert(3)">bad</a> <a href="https://example.com/?a=1&amp;fbclid=xyz">good</a></p><p style="display:none">hidden</p><div>Loose <span>words</span><div>Block</div></div><pre><code>let a = "\`\`\`";</code></pre><table><tbody><tr><td>Only layout</td></tr></tbody></table><img src="https://evil.example/q.png" onerror="alert(4)"></article><!--EndFragment--></body></html>`;

const markdown =
  "## A heading\n\nWith **bold**, a [link](https://example.com/?utm_campaign=x) and a note.[^1]\n\n- a\n- b\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n[^1]: The note.";

/** Handmade clipboards, each in the form that a certain program writes. */
export const clipboards: Readonly<Record<string, Clipboard>> = {
  word: {
    forms: { "text/html": word, "text/plain": "Sales of the quarter" },
    markdown:
      "## Sales of the quarter\n\nSales **rose** by _9\u00a0%_, says the [filing](https://example.com/10q?id=7).\n\n- Cloud\n  - Europe\n- Devices\n\n1. Read it\n\n### Details\n\n| Quarter | Sales |\n| --- | --- |\n| First | 8.0 \\| 9 |",
    says: [/picture was not added|pictures were not added/, "Tracking was removed from 1 link."],
  },
  "Google Docs": {
    forms: { "text/html": google, "text/plain": "Why it rose" },
    markdown:
      "## Why it rose\n\nSales **rose** _a lot_, says the [note](https://example.com/a)~~wrong~~.\n\n3. Cloud\n   1. Europe\n4. Devices",
    says: ["1 picture was not added.", "Tracking was removed from 1 link."],
  },
  "a web page": {
    forms: { "text/html": page, "text/plain": "Big title" },
    markdown:
      '## Big title\n\nIt says 5 * 3 < a_b & more.\\\nSecond line `x = 1`.\n\n> A **bold** claim.\n\n---\n\n- One\n  - Inner\n- Two\n\nbad [good](https://example.com/?a=1)\n\nLoose words\n\nBlock\n\n````\nlet a = "```";\n````\n\nOnly layout',
    says: ["1 picture was not added.", "Tracking was removed from 1 link."],
  },
  "plain Markdown": {
    forms: { "text/plain": markdown },
    markdown: markdown.replace("?utm_campaign=x", ""),
    says: ["Tracking was removed from 1 link."],
  },
};
