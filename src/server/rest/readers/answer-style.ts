/** The style of the pages on which customers answer: for phones, in light and dark. */
export const ANSWER_STYLE = `:root{color-scheme:light dark;font:16px/1.55 -apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
body{margin:0;background:light-dark(#f3f4f8,#14171e);color:light-dark(#171a21,#d5d9e2)}
main{max-width:34rem;margin:6vh auto;padding:1.75rem;box-sizing:border-box;background:light-dark(#fff,#1c212b);border:1px solid light-dark(#dde1ea,#323947);border-top:4px solid #2f46dd;border-radius:.5rem;overflow-wrap:anywhere}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.3;text-wrap:balance}
h2{margin:1.75rem 0 .5rem;font-size:1.125rem}
p{margin:.75rem 0}
a{color:light-dark(#2f46dd,#9db0ff)}
dl{margin:1rem 0;padding:.5rem 1rem;background:light-dark(#f7f8fb,#232a36);border-radius:.5rem}
dl div{display:flex;gap:1rem;justify-content:space-between;padding:.45rem 0;border-bottom:1px solid light-dark(#e6e9f0,#323947)}
dl div:last-child{border:0}
dt{color:light-dark(#535c70,#a4acbd)}
dd{margin:0;font-weight:600;text-align:right}
dd.words{white-space:pre-line}
.dim,footer{color:light-dark(#535c70,#a4acbd)}
footer{margin-top:2rem;padding-top:1rem;border-top:1px solid light-dark(#e6e9f0,#323947);font-size:.875rem}
.done,.notice{padding:.75rem 1rem;border-radius:.5rem;font-weight:600}
.done{background:light-dark(#e3f6ea,#173325)}
.notice{background:light-dark(#fdf1da,#3a2e14)}
.wrong{margin:.25rem 0;color:light-dark(#b3261e,#ff9d94)}
blockquote{margin:.75rem 0;padding:.25rem 1rem;border-left:3px solid #8b93a7;white-space:pre-line}
.choices{list-style:none;margin:0;padding:0;display:grid;gap:.75rem}
.choices li{display:grid;gap:.35rem}
.button,button{display:block;box-sizing:border-box;width:100%;padding:.75rem 1.5rem;border:1px solid #2f46dd;border-radius:.5rem;background:#2f46dd;color:#fff;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.quiet{background:none;border-color:light-dark(#5d6578,#8b93a7);color:inherit}
.buttons{display:grid;gap:1rem;margin-top:1.5rem;text-align:center}
fieldset{margin:1rem 0;padding:0;border:0}
legend,.field{display:block;margin:1rem 0 .35rem;padding:0;font-weight:600}
fieldset label{display:flex;gap:.6rem;padding:.4rem 0;cursor:pointer}
input:not([type=radio]):not([type=hidden]),textarea{box-sizing:border-box;width:100%;padding:.6rem .75rem;border:1px solid light-dark(#8b93a7,#6b7488);border-radius:.5rem;background:light-dark(#fff,#14171e);color:inherit;font:inherit}
input[type=radio]{accent-color:#2f46dd}
button:focus-visible,input:focus-visible,textarea:focus-visible,a:focus-visible{outline:2px solid light-dark(#2f46dd,#9db0ff);outline-offset:2px}
@media(max-width:30rem){main{margin:0;border-width:4px 0 0;border-radius:0;min-height:100vh;padding:1.25rem}dl div{display:block}dd{text-align:left}}`
