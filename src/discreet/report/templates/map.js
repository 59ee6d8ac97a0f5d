document.querySelectorAll('svg.map').forEach(svg=>{
 const tip=svg.parentNode.querySelector('.tip');
 svg.querySelectorAll('g.point').forEach(g=>{
  const show=()=>{tip.textContent=g.dataset.words;tip.hidden=false};
  g.addEventListener('mouseenter',show);g.addEventListener('focus',show);
  g.addEventListener('mouseleave',()=>{tip.hidden=true})});
});
let alone=null;
document.querySelectorAll('.legend button').forEach(b=>b.addEventListener('click',()=>{
 alone=alone===b.dataset.method?null:b.dataset.method;
 document.querySelectorAll('[data-method]').forEach(e=>{
  const off=alone!==null&&e.dataset.method!==alone;e.style.opacity=off?0.08:''});
}));
